import { SimpleGrid } from '@mantine/core';
import { formatDuration } from '../format/format-duration.ts';
import { formatPercent } from '../format/format-numbers.ts';
import { DayChart } from './day-chart.tsx';
import type { AnswerQuality } from './usage-operations.ts';

/** Charts of the project's answers. Renders nothing if there are no answers. */
export function QualityCharts({ quality }: { readonly quality: AnswerQuality }) {
  if (quality.answers === 0) return null;
  const names = quality.days.map(({ day }) => day.slice(0, 10));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <DayChart
        days={names}
        type="bars"
        title="Low confidence per day"
        text="Share of answers of this project with little support in the documents"
        format={formatPercent}
        series={[
          {
            label: 'Low confidence',
            color: 'red',
            values: quality.days.map(({ answers, unsure }) =>
              answers === 0 ? null : unsure / answers,
            ),
          },
        ]}
      />
      <DayChart
        days={names}
        type="lines"
        title="Latency per day"
        text="From question to complete answer, in this project"
        format={formatDuration}
        series={[
          {
            label: 'Median',
            color: 'teal',
            values: quality.days.map(({ latencyP50Ms }) => latencyP50Ms),
          },
          {
            label: '95th percentile',
            color: 'orange',
            values: quality.days.map(({ latencyP95Ms }) => latencyP95Ms),
          },
        ]}
      />
    </SimpleGrid>
  );
}
