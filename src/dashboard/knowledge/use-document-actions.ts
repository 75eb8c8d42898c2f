import { askFirst } from '../shell/ask-first.tsx';
import { notifySuccess } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { deleteMutation, retryMutation } from './document-operations.ts';

interface NamedDocument {
  readonly id: string;
  readonly name: string;
  readonly chunkCount: number;
}

/** What people do with a document. `onRetried` and `onDeleted` are called once it is done. */
export function useDocumentActions(
  { id, name, chunkCount }: NamedDocument,
  { onRetried, onDeleted }: { readonly onRetried: () => void; readonly onDeleted: () => void },
) {
  const { id: projectId } = useProject();
  const retry = useAction(retryMutation, `${name} was not read again`);
  const remove = useAction(deleteMutation, `${name} was not deleted`);
  const chunks = chunkCount === 1 ? 'its chunk' : `its ${chunkCount} chunks`;
  return {
    isRetrying: retry.isRunning,
    isDeleting: remove.isRunning,
    retry: async () => {
      if ((await retry.run({ projectId, id })) !== null) onRetried();
    },
    /** Asks first. */
    remove: () =>
      askFirst({
        title: 'Delete this document?',
        text: `${name} will be gone with its original${chunkCount > 0 ? ` and ${chunks}` : ''}, and the assistant will not answer from it any more. This cannot be undone.`,
        confirm: 'Delete',
        onConfirm: async () => {
          if ((await remove.run({ projectId, id })) === null) return;
          notifySuccess(`${name} was deleted`);
          onDeleted();
        },
      }),
  };
}
