import type { TadaDocumentNode } from 'gql.tada';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { confirmAction } from './confirm-action.tsx';
import { DangerButton } from './danger-button.tsx';
import { notifySuccess } from './error-messages.tsx';

export interface Deletion<Variables extends Record<string, unknown>> {
  /** Kind of the item, for example "label". */
  readonly noun: string;
  /** Distinguishes the button from those of other rows. */
  readonly name: string;
  /** Title of the confirmation. Default: asks whether to delete this noun. */
  readonly title?: string;
  /** Explains the consequences. */
  readonly text: string;
  readonly mutation: TadaDocumentNode<unknown, Variables>;
  readonly variables: Variables;
  readonly onDeleted: () => void;
}

/** Deletes the item of a row, after a confirmation. */
export function DeleteButton<Variables extends Record<string, unknown>>({
  noun,
  name,
  title = `Delete this ${noun}?`,
  text,
  mutation,
  variables,
  onDeleted,
}: Deletion<Variables>) {
  const remove = useNotifyingMutation(mutation, `The ${noun} was not deleted`);
  const confirmDelete = () =>
    confirmAction({
      title,
      text,
      confirm: 'Delete',
      onConfirm: async () => {
        if ((await remove.run(variables)) === null) return;
        notifySuccess(`The ${noun} was deleted`);
        onDeleted();
      },
    });
  return (
    <DangerButton label={`Delete ${name}`} isRunning={remove.isRunning} onClick={confirmDelete}>
      Delete
    </DangerButton>
  );
}
