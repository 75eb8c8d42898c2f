import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { useProject } from '../../project/project.tsx';
import { projectAssistantQuery } from '../project-operations.ts';
import { AssistantForm } from './assistant-form.tsx';

/** Instructions, fixed messages and business hours of the assistant. */
export function AssistantSettings() {
  const { id: projectId } = useProject();
  const [reloadCount, setReloadCount] = useState(0);
  const [{ data, error, fetching }, reload] = useQuery({
    query: projectAssistantQuery,
    variables: { projectId },
    requestPolicy: 'network-only',
  });
  const refetch = () => reload({ requestPolicy: 'network-only' });
  if (error !== undefined) return <LoadFailure error={error} onRetry={refetch} />;
  if (data?.project == null || (fetching && reloadCount > 0)) {
    return <Skeleton h={480} maw={720} aria-label="Loading" />;
  }
  return (
    <AssistantForm
      key={reloadCount}
      project={data.project}
      onReload={() => {
        setReloadCount(reloadCount + 1);
        refetch();
      }}
    />
  );
}
