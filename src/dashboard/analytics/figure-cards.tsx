import { SimpleGrid } from '@mantine/core';
import { formatAmount } from '../format/format-amount.ts';
import { formatDuration, formatWait } from '../format/format-duration.ts';
import { formatCompactNumber, formatCount, formatPercent } from '../format/format-numbers.ts';
import { StatCard } from '../usage/stat-card.tsx';
import type { Analytics, Figures, Latency } from './analytics-operations.ts';
import { shareOf } from './shares.ts';

interface Figure {
  readonly label: string;
  /** Returns null if there is nothing to measure. */
  read(figures: Figures): number | null;
  format(value: number): string;
  /** Returns a text that explains the value. */
  describe(figures: Figures): string;
}

const figures: readonly Figure[] = [
  {
    label: 'Conversations',
    read: ({ conversations }) => conversations,
    format: formatCount,
    describe: ({ answers }) => `with ${formatCount(answers)} answers`,
  },
  {
    label: 'Without a person',
    read: ({ deflected, conversations }) => shareOf(deflected, conversations),
    format: formatPercent,
    describe: ({ deflected, conversations }) =>
      `${formatCount(deflected)} of ${formatCount(conversations)} conversations had no handoff`,
  },
  {
    label: 'Handoff rate',
    read: ({ handedOver, conversations }) => shareOf(handedOver, conversations),
    format: formatPercent,
    describe: ({ handedOver }) =>
      `a person was requested in ${formatCount(handedOver)} conversations`,
  },
  {
    label: 'Helpful',
    read: ({ helpful, unhelpful }) => shareOf(helpful, helpful + unhelpful),
    format: formatPercent,
    describe: ({ helpful, unhelpful }) => `of ${formatCount(helpful + unhelpful)} rated answers`,
  },
  {
    label: 'First reply',
    read: ({ replyP50Seconds }) => replyP50Seconds,
    format: formatWait,
    describe: ({ replyP95Seconds, repliesInTime, repliesDue }) =>
      describeTimes(replyP95Seconds, repliesInTime, repliesDue),
  },
  {
    label: 'Resolution',
    read: ({ resolutionP50Seconds }) => resolutionP50Seconds,
    format: formatWait,
    describe: ({ resolutionP95Seconds, resolutionsInTime, resolutionsDue }) =>
      describeTimes(resolutionP95Seconds, resolutionsInTime, resolutionsDue),
  },
  {
    label: 'Confidence',
    read: ({ confidence }) => confidence,
    format: formatPercent,
    describe: ({ unsure, answers }) =>
      `mean; ${formatCount(unsure)} of ${formatCount(answers)} answers have low confidence`,
  },
  {
    label: 'Tokens',
    read: tokensOf,
    format: formatCompactNumber,
    describe: () => 'of the answers, as counted by the models',
  },
];

/** The figures of the period. Each card but those of latency and cost also shows the value of the period before. */
export function FigureCards({
  current,
  previous,
  latency: { latencyP50Ms, latencyP95Ms },
  cost,
}: Pick<Analytics, 'current' | 'previous' | 'cost'> & { readonly latency: Latency }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
      {figures.map(({ label, read, format, describe }) => {
        const value = read(current);
        const before = read(previous);
        return (
          <StatCard key={label} label={label} value={value === null ? '–' : format(value)}>
            {describe(current)}
            <br />
            {before === null ? 'no value before' : `${format(before)} before`}
          </StatCard>
        );
      })}
      <StatCard label="Latency" value={latencyP50Ms === null ? '–' : formatDuration(latencyP50Ms)}>
        {latencyP95Ms === null
          ? 'from question to complete answer'
          : `median; 95 % of answers finished within ${formatDuration(latencyP95Ms)}`}
        <br />
        the playground counts
      </StatCard>
      {cost !== null && (
        <StatCard label="Cost" value={formatAmount(cost.total)}>
          {current.answers > 0 && (
            <>
              {formatAmount({ ...cost.total, amount: Number(cost.total.amount) / current.answers })}{' '}
              per answer
              <br />
            </>
          )}
          searches, documents, evaluation and the playground count
        </StatCard>
      )}
    </SimpleGrid>
  );
}

function describeTimes(p95Seconds: number | null, inTime: number, due: number): string {
  const percentile =
    p95Seconds === null ? 'none yet' : `median; 95th percentile ${formatWait(p95Seconds)}`;
  return due === 0 ? percentile : `${percentile}; ${formatPercent(inTime / due)} within the target`;
}

function tokensOf({ inputTokens, outputTokens, embeddingTokens }: Figures): number {
  return inputTokens + outputTokens + embeddingTokens;
}
