import { Box, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../components/error-messages.tsx';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import { SatisfactionSection } from '../satisfaction/satisfaction-section.tsx';
import { Page } from '../shell/page.tsx';
import { AnswerQualityStats } from './answer-quality-stats.tsx';
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

/** Usage of the organization this month against its limits, and usage and answer quality per day. */
export function UsagePage() {
  const { organizationId } = useProject();
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
          <MonthlyUsage usage={data.usage} />
          <Stack component="section" aria-labelledby="by-day">
            <Box>
              <Title order={2} size="h4" id="by-day" mb="xs">
                Per day
              </Title>
              <SegmentedControl
                aria-label="Period"
                data={periods}
                value={period}
                onChange={setPeriod}
              />
            </Box>
            <Stack aria-busy={fetching} opacity={fetching ? 0.6 : 1}>
              <AnswerQualityStats quality={data.answerQuality} />
              <UsageCharts days={data.usageByDay} quality={data.answerQuality} />
            </Stack>
          </Stack>
          <SatisfactionSection from={variables.from} />
        </Stack>
      )}
    </Page>
  );
}

/** Usage of the current month against the limits of the plan. */
function MonthlyUsage({
  usage: { plan, period, messages, storage, tokens },
}: {
  readonly usage: Usage;
}) {
  return (
    <Stack component="section" aria-labelledby="this-month">
      <Box>
        <Title order={2} size="h4" id="this-month">
          This month
        </Title>
        <Text c="dimmed" size="sm">
          Plan {plan}, for all projects of the organization. Resets on{' '}
          {date.format(new Date(period.end))} (UTC).
        </Text>
      </Box>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <StatCard
          label="Messages"
          value={formatCount(messages.used)}
          usedShare={shareOf(messages.used, messages.limit)}
        >
          {messages.limit === null ? 'no limit' : `of ${formatCount(messages.limit)} this month`}
        </StatCard>
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
      </SimpleGrid>
    </Stack>
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
