import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { AssistantForm } from './assistant-form.tsx';
import { assistantQuery } from './project-operations.ts';

/** What the assistant is told and says by itself, and when the team is there. */
export function AssistantSettings() {
  const { id: projectId } = useProject();
  const [round, setRound] = useState(0);
  const [{ data, error, fetching }, reload] = useQuery({
    query: assistantQuery,
    variables: { projectId },
    requestPolicy: 'network-only',
  });
  const again = () => reload({ requestPolicy: 'network-only' });
  if (error !== undefined) return <LoadFailure error={error} onRetry={again} />;
  if (data?.project == null || (fetching && round > 0)) {
    return <Skeleton h={480} maw={720} aria-label="Loading" />;
  }
  return (
    <AssistantForm
      key={round}
      project={data.project}
      onReload={() => {
        setRound(round + 1);
        again();
      }}
    />
  );
}
