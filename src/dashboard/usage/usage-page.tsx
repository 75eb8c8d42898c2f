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
import { type ReactNode, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount } from '../format/format-numbers.ts';
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { SatisfactionSection } from '../satisfaction/satisfaction-section.tsx';
import { Page } from '../shell/page.tsx';
import { AnswerQualityStats } from './answer-quality-stats.tsx';
import { QualityCharts } from './quality-charts.tsx';
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

/**
 * Answers and satisfaction of the project, and usage of its organization. Shows usage per day and against the limits.
 */
export function UsagePage() {
  const { id: projectId, name, organizationId } = useProject();
  const organizationName = useOperator().memberships.find(
    ({ organization }) => organization.id === organizationId,
  )?.organization.name;
  const [period, setPeriod] = useState('30');
  const variables = useMemo(
    () => ({
      organizationId,
      projectId,
      from: new Date(Date.now() - (Number(period) - 1) * dayMs).toISOString(),
    }),
    [organizationId, projectId, period],
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
          <Stack component="section" aria-labelledby="of-project">
            <ScopeTitle id="of-project" title={`Project ${name}`}>
              Answers of this project only.{' '}
              <Anchor component={Link} href={`/${projectId}/analytics`} inherit underline="always">
                Analytics
              </Anchor>{' '}
              shows its conversations and handoffs.
            </ScopeTitle>
            <Stack aria-busy={fetching} opacity={fetching ? 0.6 : 1}>
              <AnswerQualityStats quality={data.answerQuality} />
              <QualityCharts quality={data.answerQuality} />
            </Stack>
            <SatisfactionSection from={variables.from} />
          </Stack>
          <Stack component="section" aria-labelledby="of-organization">
            <ScopeTitle id="of-organization" title={`Organization ${organizationName ?? ''}`}>
              All projects of the organization together, the playground included. The limits of the
              plan apply to this sum.
            </ScopeTitle>
            <MonthlyUsage usage={data.usage} />
            <Box aria-busy={fetching} opacity={fetching ? 0.6 : 1}>
              <UsageCharts days={data.usageByDay} />
            </Box>
          </Stack>
        </Stack>
      )}
    </Page>
  );
}

/** Usage of the current month against the limits of the plan. */
function MonthlyUsage({
  usage: { plan, period, messages, evaluation, storage, tokens },
}: {
  readonly usage: Usage;
}) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        This month on the plan {plan}. Resets on {date.format(new Date(period.end))} (UTC).
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

/** Heading of a part of the page. It names the project or organization that the numbers below belong to. */
function ScopeTitle({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <Box>
      <Title order={2} size="h4" id={id} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      <Text c="dimmed" size="sm">
        {children}
      </Text>
    </Box>
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
