import { Skeleton, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { useProject } from '../../project/project.tsx';
import { TraceDetails, TraceDrawer } from '../../transcript/trace/trace-drawer.tsx';
import { resultTraceQuery } from './result-operations.ts';

interface Props {
  readonly runId: string;
  readonly questionId: string;
  /** Position of the result in the run, from 1. */
  readonly position: number;
}

/** A button that opens how the answer of a result came about. */
export function ResultTrace({ label, ...result }: Props & { readonly label: string }) {
  return (
    <TraceDrawer label={`Why this answer? ${label}`}>
      <LoadedTrace {...result} />
    </TraceDrawer>
  );
}

function LoadedTrace({ runId, questionId, position }: Props) {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: resultTraceQuery,
    variables: { id: runId, projectId, page: position },
    requestPolicy: 'network-only',
  });
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined) return <Skeleton h={240} aria-label="Loading" />;
  const result = data.evaluationResultPage.data.find((one) => one.questionId === questionId);
  if (result === undefined) {
    return (
      <Text role="status">
        The run has new results since this page was loaded. Close this panel and open it again.
      </Text>
    );
  }
  return <TraceDetails trace={result.trace} />;
}
