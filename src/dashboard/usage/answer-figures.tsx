import { Anchor, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { useProject } from '../shell/project.tsx';
import { sayDuration } from '../shell/say-duration.ts';
import { FigureCard } from './figure-card.tsx';
import { sayCount, sayShare } from './say-figures.ts';
import type { AnswerQuality } from './usage-operations.ts';

/** How sure and how quick the assistant was over the whole period. */
export function AnswerFigures({
  quality: { answers, unsure, latencyP50Ms, latencyP95Ms },
}: {
  readonly quality: AnswerQuality;
}) {
  const { id } = useProject();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <FigureCard label="Answers" value={sayCount(answers)}>
        completed ones in this period
      </FigureCard>
      <FigureCard label="Low confidence" value={answers === 0 ? '–' : sayShare(unsure / answers)}>
        {answers === 0 ? (
          'the share of answers that the documents hardly hold'
        ) : (
          <>
            {sayCount(unsure)} answers that the documents hardly hold:{' '}
            <Anchor component={Link} href={`/${id}/unanswered`} inherit underline="always">
              see the questions
            </Anchor>
          </>
        )}
      </FigureCard>
      <FigureCard label="Latency" value={latencyP50Ms === null ? '–' : sayDuration(latencyP50Ms)}>
        {latencyP95Ms === null
          ? 'from question to complete answer'
          : `in the middle; 19 of 20 answers were complete after ${sayDuration(latencyP95Ms)}`}
      </FigureCard>
    </SimpleGrid>
  );
}
