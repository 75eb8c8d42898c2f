import { SimpleGrid } from '@mantine/core';
import { formatAmountNumber } from '../format/format-amount.ts';
import { formatDuration, formatWait } from '../format/format-duration.ts';
import { formatCompactNumber, formatPercent } from '../format/format-numbers.ts';
import { DayChart } from '../usage/day-chart.tsx';
import type { AnalyticsDay, Latency, ProjectCost } from './analytics-operations.ts';
import { costsByDay } from './costs-by-day.ts';
import { shareOf } from './shares.ts';

export function AnalyticsCharts({
  days,
  latency,
  cost,
}: {
  readonly days: readonly AnalyticsDay[];
  readonly latency: Latency;
  readonly cost: ProjectCost;
}) {
  const names = days.map(({ day }) => day.slice(0, 10));
  const valuesOf = (read: (day: AnalyticsDay) => number | null) => days.map(read);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <DayChart
        days={names}
        type="bars"
        title="Conversations per day"
        text="By the day on which they started"
        format={formatCompactNumber}
        series={[
          { label: 'Without a person', color: 'cyan', values: valuesOf((day) => day.deflected) },
          {
            label: 'With a person',
            color: 'orange',
            values: valuesOf((day) => day.conversations - day.deflected),
          },
        ]}
      />
      <DayChart
        days={names}
        type="bars"
        title="Ratings per day"
        text="Of the answers of that day"
        format={formatCompactNumber}
        series={[
          { label: 'Helpful', color: 'teal', values: valuesOf((day) => day.helpful) },
          { label: 'Not helpful', color: 'red', values: valuesOf((day) => day.unhelpful) },
        ]}
      />
      <DayChart
        days={names}
        type="lines"
        title="First reply per day"
        text="From the request of a handoff to the first reply of the team"
        format={formatWait}
        series={[
          { label: 'Median', color: 'teal', values: valuesOf((day) => day.replyP50Seconds) },
          {
            label: '95th percentile',
            color: 'orange',
            values: valuesOf((day) => day.replyP95Seconds),
          },
        ]}
      />
      <DayChart
        days={names}
        type="lines"
        title="Resolution per day"
        text="From the request of a handoff to its resolution"
        format={formatWait}
        series={[
          { label: 'Median', color: 'teal', values: valuesOf((day) => day.resolutionP50Seconds) },
          {
            label: '95th percentile',
            color: 'orange',
            values: valuesOf((day) => day.resolutionP95Seconds),
          },
        ]}
      />
      <DayChart
        days={names}
        type="lines"
        title="Confidence per day"
        text="Mean confidence, and share of answers with low confidence"
        format={formatPercent}
        series={[
          { label: 'Confidence', color: 'cyan', values: valuesOf((day) => day.confidence) },
          {
            label: 'Low confidence',
            color: 'red',
            values: valuesOf(({ unsure, answers }) => shareOf(unsure, answers)),
          },
        ]}
      />
      <DayChart
        days={names}
        type="lines"
        title="Latency per day"
        text="From question to complete answer. The playground counts"
        format={formatDuration}
        series={[
          {
            label: 'Median',
            color: 'teal',
            values: latency.days.map(({ latencyP50Ms }) => latencyP50Ms),
          },
          {
            label: '95th percentile',
            color: 'orange',
            values: latency.days.map(({ latencyP95Ms }) => latencyP95Ms),
          },
        ]}
      />
      <DayChart
        days={names}
        type="bars"
        title="Tokens per day"
        text="Of the answers, as counted by the models"
        format={formatCompactNumber}
        series={[
          { label: 'Input', color: 'indigo', values: valuesOf((day) => day.inputTokens) },
          { label: 'Output', color: 'grape', values: valuesOf((day) => day.outputTokens) },
          { label: 'Embeddings', color: 'orange', values: valuesOf((day) => day.embeddingTokens) },
        ]}
      />
      {cost !== null && (
        <DayChart
          days={names}
          type="bars"
          title="Cost per day"
          text={`In ${cost.total.currency}. Searches, documents and evaluation count`}
          format={formatAmountNumber}
          series={[
            {
              label: 'Cost',
              color: 'teal',
              values: costsByDay(days, cost).map(Number),
            },
          ]}
        />
      )}
    </SimpleGrid>
  );
}
