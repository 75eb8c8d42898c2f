import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { notifySuccess } from '../components/error-messages.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { retryFailedDocumentsMutation } from './document-operations.ts';

/** Processes the failed documents of the project again. The button is hidden if no document has failed. */
export function RetryFailedButton({
  failedCount,
  onRetried,
}: {
  readonly failedCount: number;
  readonly onRetried: () => void;
}) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const retry = useNotifyingMutation(
    retryFailedDocumentsMutation,
    'The documents were not processed again',
  );
  if (failedCount === 0 || !canWriteKnowledge) return null;
  const retryAll = async () => {
    const data = await retry.run({ projectId });
    if (data === null) return;
    const { retriedCount, failedCount } = data.retryFailedDocuments;
    const rest = failedCount === 0 ? '' : `, ${failedCount} are left`;
    notifySuccess(`${documents(retriedCount)} being processed again${rest}`);
    onRetried();
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={retry.isRunning}
      onClick={() => void retryAll()}
    >
      {failedCount === 1 ? 'Retry 1 failed document' : `Retry ${failedCount} failed documents`}
    </Button>
  );
}

const documents = (count: number) => (count === 1 ? '1 document is' : `${count} documents are`);
