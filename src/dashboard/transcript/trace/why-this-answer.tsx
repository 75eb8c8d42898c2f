import { Skeleton } from '@mantine/core';
import { useQuery } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { isNotFound } from '../../graphql/is-not-found.ts';
import { useProject } from '../../project/project.tsx';
import { TraceDetails, TraceDrawer } from './trace-drawer.tsx';
import { traceQuery } from './trace-query.ts';

/** A button that opens how the answer of a message came about. */
export function WhyThisAnswer({ messageId }: { readonly messageId: string }) {
  return (
    <TraceDrawer>
      <LoadedTrace messageId={messageId} />
    </TraceDrawer>
  );
}

function LoadedTrace({ messageId }: { readonly messageId: string }) {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: traceQuery,
    variables: { messageId, projectId },
  });
  if (isNotFound(error)) return <TraceDetails trace={null} />;
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined) return <Skeleton h={240} aria-label="Loading" />;
  const cost = data.node?.__typename === 'Message' ? data.node.cost : null;
  return <TraceDetails trace={data.answerTrace} cost={cost} />;
}
