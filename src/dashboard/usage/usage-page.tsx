import {
  Anchor,
  Box,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { formatAmount } from '../format/format-amount.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount } from '../format/format-numbers.ts';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { Page } from '../shell/page.tsx';
import { PriceSection } from './prices/price-section.tsx';
import { StatCard } from './stat-card.tsx';
import { UsageCharts } from './usage-charts.tsx';
import { type Usage, usageQuery } from './usage-operations.ts';

const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];
const dayMs = 86_400_000;
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Shows what the organization of the project used, per day and against the limits of its plan. */
export function UsagePage() {
  const { id: projectId, organizationId } = useProject();
  const organizationName = useOperator().memberships.find(
    ({ organization }) => organization.id === organizationId,
  )?.organization.name;
  const [period, setPeriod] = useState('30');
  const variables = useMemo(
    () => ({
      organizationId,
      from: new Date(Date.now() - (Number(period) - 1) * dayMs).toISOString(),
    }),
    [organizationId, period],
  );
  const [{ data, error, fetching }, reload] = useQuery({
    query: usageQuery,
    variables,
    requestPolicy: 'cache-and-network',
  });
  return (
    <Page title="Usage">
      {error !== undefined ? (
        <LoadFailure error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Stack gap="xl">
          <SegmentedControl
            aria-label="Period"
            data={periods}
            value={period}
            onChange={setPeriod}
            w="fit-content"
          />
          <Stack component="section" aria-labelledby="of-organization">
            <Box>
              <Title order={2} size="h4" id="of-organization" style={{ overflowWrap: 'anywhere' }}>
                Organization {organizationName}
              </Title>
              <Text c="dimmed" size="sm">
                All projects of the organization together, the playground included. The limits of
                the plan apply to this sum.{' '}
                <Anchor
                  component={Link}
                  href={`/${projectId}/analytics`}
                  inherit
                  underline="always"
                >
                  Analytics
                </Anchor>{' '}
                shows the answers of this project.
              </Text>
            </Box>
            <MonthlyUsage usage={data.usage} />
            <Box aria-busy={fetching} opacity={fetching ? 0.6 : 1}>
              <UsageCharts days={data.usageByDay} />
            </Box>
          </Stack>
          <PriceSection onChange={() => reload({ requestPolicy: 'network-only' })} />
        </Stack>
      )}
    </Page>
  );
}

/** Usage of the current month against the limits of the plan. */
function MonthlyUsage({
  usage: { plan, period, messages, evaluation, storage, tokens, cost },
}: {
  readonly usage: Usage;
}) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        This month, against the limits of the plan “{plan}”. The operator of the service chooses the
        plan of an organization:{' '}
        <Anchor href="/docs/reference/limits#plans" target="_blank" inherit underline="always">
          what each plan allows
        </Anchor>
        . Resets on {date.format(new Date(period.end))} (UTC).
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <MonthlyStatCard label="Messages" usage={messages} />
        <StatCard
          label="Storage"
          value={formatBytes(storage.usedBytes)}
          usedShare={shareOf(storage.usedBytes, storage.limitBytes)}
        >
          {storage.limitBytes === null ? 'no limit' : `of ${formatBytes(storage.limitBytes)}`}
        </StatCard>
        <StatCard label="Tokens" value={formatCount(tokens.total)}>
          {formatCount(tokens.input)} input, {formatCount(tokens.output)} output,{' '}
          {formatCount(tokens.embedding)} embeddings; no limit
        </StatCard>
        <MonthlyStatCard label="Evaluated questions" usage={evaluation.evaluated} />
        <MonthlyStatCard label="Judged questions" usage={evaluation.judged} />
        {cost !== null && (
          <StatCard label="Cost" value={formatAmount(cost)}>
            this month, by the prices below
          </StatCard>
        )}
      </SimpleGrid>
    </Stack>
  );
}

function MonthlyStatCard({
  label,
  usage: { used, limit },
}: {
  readonly label: string;
  readonly usage: { readonly used: number; readonly limit: number | null };
}) {
  return (
    <StatCard label={label} value={formatCount(used)} usedShare={shareOf(used, limit)}>
      {limit === null ? 'no limit' : `of ${formatCount(limit)} this month`}
    </StatCard>
  );
}

function shareOf(used: number, limit: number | null): number | null {
  if (limit === null) return null;
  return limit === 0 ? 1 : used / limit;
}

function Loading() {
  return (
    <Stack aria-label="Loading" role="status">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Skeleton h={120} />
        <Skeleton h={120} />
        <Skeleton h={120} />
      </SimpleGrid>
      <Skeleton h={320} />
    </Stack>
  );
}
