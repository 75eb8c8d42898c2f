import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { LoadFailure } from '../../components/error-messages.tsx';
import { useProject } from '../../project/project.tsx';
import { AnswerForm } from './answer-form.tsx';
import { answerSettingsQuery } from './answer-operations.ts';

/** Settings that determine when and how the assistant answers. */
export function AnswerSettings() {
  const { id: projectId } = useProject();
  const [reloadCount, setReloadCount] = useState(0);
  const [{ data, error, fetching }, reload] = useQuery({
    query: answerSettingsQuery,
    variables: { projectId },
    requestPolicy: 'network-only',
  });
  const refetch = () => reload({ requestPolicy: 'network-only' });
  if (error !== undefined) return <LoadFailure error={error} onRetry={refetch} />;
  if (data?.project == null || (fetching && reloadCount > 0)) {
    return <Skeleton h={480} maw={720} aria-label="Loading" />;
  }
  return (
    <AnswerForm
      key={reloadCount}
      project={data.project}
      confidence={data.projectConfidence}
      onReload={() => {
        setReloadCount(reloadCount + 1);
        refetch();
      }}
    />
  );
}
