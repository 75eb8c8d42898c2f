import { useParams } from 'wouter';
import { Page } from '../shell/page.tsx';
import { ComparisonPanel } from './compare/comparison-panel.tsx';
import { RunPanel } from './runs/run-panel.tsx';
import { QuestionSetList } from './sets/question-set-list.tsx';
import { QuestionSetPanel } from './sets/question-set-panel.tsx';

/** Measures the answers of the assistant with sets of questions. Paths are those of `evaluationPaths`. */
export function EvaluationPage() {
  return (
    <Page title="Evaluation">
      <EvaluationContent />
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
