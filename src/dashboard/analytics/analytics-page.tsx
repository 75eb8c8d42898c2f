import {
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { useUrlParameter } from '../components/use-url-text-field.ts';
import { useProject } from '../project/project.tsx';
import { SatisfactionSection } from '../satisfaction/satisfaction-section.tsx';
import { saveFile } from '../session/download.ts';
import { Page } from '../shell/page.tsx';
import { AnalyticsCharts } from './analytics-charts.tsx';
import { buildAnalyticsCsv } from './analytics-csv.ts';
import { type Analytics, analyticsQuery, type Latency } from './analytics-operations.ts';
import { AnalyticsParts } from './analytics-parts.tsx';
import { FigureCards } from './figure-cards.tsx';
import { WeakAnswers } from './weak-answers.tsx';

const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];
const dayMs = 86_400_000;

/** Shows the results of the assistant and the team in a period, compared with the period before. */
export function AnalyticsPage() {
  const { id: projectId, organizationId } = useProject();
  const [selected, selectPeriod] = useUrlParameter('period');
  const period = periods.find(({ value }) => value === selected)?.value ?? '30';
  const variables = useMemo(() => {
    const to = new Date();
    const from = new Date(to.getTime() - (Number(period) - 1) * dayMs);
    return { organizationId, projectId, from: from.toISOString(), to: to.toISOString() };
  }, [organizationId, projectId, period]);
  const [{ data, error, fetching }, reload] = useQuery({
    query: analyticsQuery,
    variables,
    requestPolicy: 'network-only',
  });
  const days = data?.analytics.days ?? [];
  return (
    <Page
      title="Analytics"
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={days.length === 0}
          onClick={() =>
            saveFile(
              new Blob([buildAnalyticsCsv(days, data?.analytics.cost ?? null)], {
                type: 'text/csv',
              }),
              `analytics-${days.at(-1)?.day.slice(0, 10)}.csv`,
            )
          }
        >
          Export CSV
        </Button>
      }
    >
      <Stack gap="lg">
        <Group>
          <SegmentedControl
            aria-label="Period"
            data={periods}
            value={period}
            onChange={(value) => selectPeriod(value === '30' ? null : value)}
          />
          <Text size="sm" c="dimmed">
            Days are UTC. The playground and small talk do not count, unless a figure says so.
          </Text>
        </Group>
        {error !== undefined ? (
          <LoadFailure error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
        ) : data === undefined ? (
          <Loading />
        ) : (
          <Stack gap="xl" aria-busy={fetching} opacity={fetching ? 0.6 : 1}>
            <Results
              analytics={data.analytics}
              latency={data.answerQuality}
              from={variables.from}
            />
          </Stack>
        )}
      </Stack>
    </Page>
  );
}

function Results({
  analytics,
  latency,
  from,
}: {
  readonly analytics: Analytics;
  readonly latency: Latency;
  /** Start of the period, as an ISO time. */
  readonly from: string;
}) {
  const { current, previous, days, weakAnswers, cost } = analytics;
  if (current.conversations + current.answers + current.handoffs === 0) {
    return (
      <EmptyState
        title="No conversations in this period"
        text="Conversations of end users appear here. Questions in the playground do not count."
      />
    );
  }
  return (
    <>
      <Stack component="section" aria-labelledby="overview">
        <Title order={2} size="h4" id="overview">
          Compared with the {days.length} days before
        </Title>
        <FigureCards {...{ current, previous, latency, cost }} />
      </Stack>
      <Stack component="section" aria-labelledby="by-day">
        <Title order={2} size="h4" id="by-day">
          Per day
        </Title>
        <AnalyticsCharts {...{ days, latency, cost }} />
      </Stack>
      <Stack component="section" aria-labelledby="by-part">
        <Title order={2} size="h4" id="by-part">
          By hour, agent, label{cost === null ? ' and topic' : ', topic and model'}
        </Title>
        <AnalyticsParts {...analytics} />
      </Stack>
      <WeakAnswers answers={weakAnswers} />
      <SatisfactionSection from={from} />
    </>
  );
}

function Loading() {
  return (
    <Stack aria-label="Loading" role="status">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
        <Skeleton h={130} />
        <Skeleton h={130} />
        <Skeleton h={130} />
      </SimpleGrid>
      <Skeleton h={320} />
    </Stack>
  );
}
