import { Box, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../shell/failure.tsx';
import { Page } from '../shell/page.tsx';
import { useProject } from '../shell/project.tsx';
import { saySize } from '../shell/say-size.ts';
import { AnswerFigures } from './answer-figures.tsx';
import { FigureCard } from './figure-card.tsx';
import { sayCount } from './say-figures.ts';
import { UsageCharts } from './usage-charts.tsx';
import { type Usage, usageQuery } from './usage-operations.ts';

const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];
const dayMs = 86_400_000;
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** What the organization used in this month, against its limits, and what it used and how it answered day by day. */
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
          <Month usage={data.usage} />
          <Stack component="section" aria-labelledby="by-day">
            <Box>
              <Title order={2} size="h4" id="by-day" mb="xs">
                Day by day
              </Title>
              <SegmentedControl
                aria-label="Period"
                data={periods}
                value={period}
                onChange={setPeriod}
              />
            </Box>
            <Stack aria-busy={fetching} opacity={fetching ? 0.6 : 1}>
              <AnswerFigures quality={data.answerQuality} />
              <UsageCharts days={data.usageByDay} quality={data.answerQuality} />
            </Stack>
          </Stack>
        </Stack>
      )}
    </Page>
  );
}

/** Against the limits of the plan. */
function Month({ usage: { plan, period, messages, storage, tokens } }: { readonly usage: Usage }) {
  return (
    <Stack component="section" aria-labelledby="this-month">
      <Box>
        <Title order={2} size="h4" id="this-month">
          This month
        </Title>
        <Text c="dimmed" size="sm">
          Plan {plan}, for all projects of the organization. Counted anew from{' '}
          {date.format(new Date(period.end))} (UTC).
        </Text>
      </Box>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <FigureCard
          label="Messages"
          value={sayCount(messages.used)}
          used={shareOf(messages.used, messages.limit)}
        >
          {messages.limit === null ? 'no limit' : `of ${sayCount(messages.limit)} this month`}
        </FigureCard>
        <FigureCard
          label="Storage"
          value={saySize(storage.usedBytes)}
          used={shareOf(storage.usedBytes, storage.limitBytes)}
        >
          {storage.limitBytes === null ? 'no limit' : `of ${saySize(storage.limitBytes)}`}
        </FigureCard>
        <FigureCard label="Tokens" value={sayCount(tokens.total)}>
          {sayCount(tokens.input)} read, {sayCount(tokens.output)} written,{' '}
          {sayCount(tokens.embedding)} for embeddings; not limited
        </FigureCard>
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
