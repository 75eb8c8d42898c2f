import { confirmAction } from '../components/confirm-action.tsx';
import { notifySuccess } from '../components/error-messages.tsx';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { deleteDocumentMutation, retryDocumentMutation } from './document-operations.ts';

interface NamedDocument {
  readonly id: string;
  readonly name: string;
  readonly chunkCount: number;
}

/** The actions of a document. `onRetried` and `onDeleted` are called only if the action succeeded. */
export function useDocumentActions(
  { id, name, chunkCount }: NamedDocument,
  { onRetried, onDeleted }: { readonly onRetried: () => void; readonly onDeleted: () => void },
) {
  const { id: projectId } = useProject();
  const retry = useNotifyingMutation(retryDocumentMutation, `${name} was not processed again`);
  const remove = useNotifyingMutation(deleteDocumentMutation, `${name} was not deleted`);
  const chunks = chunkCount === 1 ? 'its chunk' : `its ${chunkCount} chunks`;
  const deleted =
    chunkCount === 0 ? `${name} and its original` : `${name}, its original and ${chunks}`;
  return {
    isRetrying: retry.isRunning,
    isDeleting: remove.isRunning,
    retry: async () => {
      if ((await retry.run({ projectId, id })) !== null) onRetried();
    },
    /** Asks for confirmation and then deletes the document. */
    remove: () =>
      confirmAction({
        title: 'Delete this document?',
        text: `This deletes ${deleted}. The assistant will no longer answer from it. This cannot be undone.`,
        confirm: 'Delete',
        onConfirm: async () => {
          if ((await remove.run({ projectId, id })) === null) return;
          notifySuccess(`${name} was deleted`);
          onDeleted();
        },
      }),
  };
}
