import { EmptyState } from '../components/empty-state.tsx';
import { ComparisonPanel } from './compare/comparison-panel.tsx';
import { ConfidencePanel } from './confidence/confidence-panel.tsx';
import { RunPanel } from './runs/run-panel.tsx';
import { QuestionSetPanel } from './sets/question-set-panel.tsx';

/** A set, a run, a comparison of two runs, or the confidence of the project. `path` is the part of the URL after the page. */
export function EvaluationDetail({ path }: { readonly path: string }) {
  const [kind, id, , otherId] = path.split('/');
  if (kind === 'confidence' && !id) return <ConfidencePanel />;
  if (kind === 'sets' && id) return <QuestionSetPanel key={id} setId={id} />;
  if (kind === 'runs' && id && otherId) {
    return <ComparisonPanel key={`${id} ${otherId}`} beforeId={id} afterId={otherId} />;
  }
  if (kind === 'runs' && id) return <RunPanel key={id} runId={id} />;
  return <EmptyState title="Page not found" text="The address is incomplete." />;
}
