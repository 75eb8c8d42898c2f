import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useParams } from 'wouter';
import { Page } from '../shell/page.tsx';
import { QuestionSetList } from './sets/question-set-list.tsx';

// A separate script for what the list of sets does not need.
const EvaluationDetail = lazy(() =>
  import('./evaluation-detail.tsx').then((module) => ({ default: module.EvaluationDetail })),
);

/** Measures the answers of the assistant with sets of questions. Paths are those of `evaluationPaths`. */
export function EvaluationPage() {
  const path = useParams()['*'] ?? '';
  return (
    <Page title="Evaluation">
      {path === '' ? (
        <QuestionSetList />
      ) : (
        <Suspense fallback={<Skeleton h={320} maw={860} aria-label="Loading" />}>
          <EvaluationDetail path={path} />
        </Suspense>
      )}
    </Page>
  );
}
