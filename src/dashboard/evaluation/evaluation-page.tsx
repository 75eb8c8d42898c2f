import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useParams } from 'wouter';
import { Page } from '../shell/page.tsx';
import { QuestionSetList } from './sets/question-set-list.tsx';

// Separate scripts for what the list of sets does not need.
const QuestionSetPanel = lazy(() =>
  import('./sets/question-set-panel.tsx').then((module) => ({ default: module.QuestionSetPanel })),
);
const RunPanel = lazy(() =>
  import('./runs/run-panel.tsx').then((module) => ({ default: module.RunPanel })),
);
const ComparisonPanel = lazy(() =>
  import('./compare/comparison-panel.tsx').then((module) => ({ default: module.ComparisonPanel })),
);

/** Measures the answers of the assistant with sets of questions. Paths are those of `evaluationPaths`. */
export function EvaluationPage() {
  return (
    <Page title="Evaluation">
      <Suspense fallback={<Skeleton h={320} maw={860} aria-label="Loading" />}>
        <EvaluationContent />
      </Suspense>
    </Page>
  );
}

function EvaluationContent() {
  const [kind, id, , otherId] = (useParams()['*'] ?? '').split('/');
  if (kind === 'sets' && id) return <QuestionSetPanel key={id} setId={id} />;
  if (kind === 'runs' && id && otherId) {
    return <ComparisonPanel key={`${id} ${otherId}`} beforeId={id} afterId={otherId} />;
  }
  if (kind === 'runs' && id) return <RunPanel key={id} runId={id} />;
  return <QuestionSetList />;
}
