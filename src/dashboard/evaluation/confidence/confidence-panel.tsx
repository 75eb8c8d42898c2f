import { SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { formatCount, formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { evaluationPaths } from '../evaluation-paths.ts';
import { ConfidenceMapSection } from './confidence-map-section.tsx';
import { confidenceQuery, type ProjectConfidence } from './confidence-query.ts';
import { PromiseSection } from './promise-section.tsx';

const bases = [
  { value: 'ALL', label: 'All answers' },
  { value: 'RATINGS', label: 'Ratings' },
  { value: 'QUESTION_SETS', label: 'Question sets' },
] as const;

type Basis = (typeof bases)[number]['value'];

/** Shows which share of answers is accepted at each confidence, and the threshold for a promised share. */
export function ConfidencePanel() {
  const { id: projectId } = useProject();
  const [basis, setBasis] = useState<Basis>('ALL');
  const { data, error, isLoading, reload } = useFreshQuery(confidenceQuery, { projectId, basis });
  const confidence = data?.projectConfidence;
  return (
    <Stack maw={860}>
      <BackLink href={evaluationPaths(projectId).list}>All question sets</BackLink>
      <div>
        <Title order={2} size="h4">
          Confidence in this project
        </Title>
        <Text size="sm" c="dimmed" mt={4}>
          Measured on answers of the last 90 days that end users rated, or that runs of question
          sets judged.
        </Text>
      </div>
      <SegmentedControl
        aria-label="Answers to measure"
        data={[...bases]}
        value={basis}
        onChange={(value) => setBasis(bases.find((one) => one.value === value)?.value ?? 'ALL')}
        w="fit-content"
      />
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {confidence === undefined ? (
        error === undefined && <Skeleton h={320} aria-label="Loading" />
      ) : (
        <Stack gap="lg" aria-busy={isLoading}>
          <Text size="sm" role="status">
            {describeAnswers(confidence)}
          </Text>
          <ConfidenceMapSection confidence={confidence} />
          <PromiseSection confidence={confidence} onChange={reload} />
        </Stack>
      )}
    </Stack>
  );
}

function describeAnswers(confidence: ProjectConfidence): string {
  const { answers, accepted, fromRatings, fromQuestionSets } = confidence;
  if (answers === 0) return 'No answer was rated or judged yet.';
  return `${formatCountOf(answers, 'answer')}: ${formatCount(fromRatings)} rated by end users, ${formatCount(fromQuestionSets)} from question sets. ${formatPercent(accepted / answers)} of them were accepted.`;
}
