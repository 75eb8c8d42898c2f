import { Anchor, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { formatDuration } from '../format/format-duration.ts';
import { formatCount, formatCountOf, formatPercent } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import { StatCard } from './stat-card.tsx';
import type { AnswerQuality } from './usage-operations.ts';

/** Confidence and latency of the answers in the period. */
export function AnswerQualityStats({
  quality: { answers, unsure, latencyP50Ms, latencyP95Ms },
}: {
  readonly quality: AnswerQuality;
}) {
  const { id } = useProject();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <StatCard label="Answers" value={formatCount(answers)}>
        completed in this project and period
      </StatCard>
      <StatCard
        label="Low confidence"
        value={answers === 0 ? '–' : formatPercent(unsure / answers)}
      >
        {answers === 0 ? (
          'share of answers with little support in the documents'
        ) : (
          <>
            {formatCountOf(unsure, 'answer')} with little support in the documents:{' '}
            <Anchor component={Link} href={`/${id}/unanswered`} inherit underline="always">
              show the questions
            </Anchor>
          </>
        )}
      </StatCard>
      <StatCard label="Latency" value={latencyP50Ms === null ? '–' : formatDuration(latencyP50Ms)}>
        {latencyP95Ms === null
          ? 'from question to complete answer'
          : `median; 95 % of answers finished within ${formatDuration(latencyP95Ms)}`}
      </StatCard>
    </SimpleGrid>
  );
}
