import { Button, Group, Paper, Text } from '@mantine/core';
import { IconRefresh, IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { confirmAction } from '../../components/confirm-action.tsx';
import { notifyProblem, notifySuccess } from '../../components/error-messages.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { deleteDocumentsMutation, retryDocumentsMutation } from '../document-operations.ts';
import type { DocumentSelection } from './document-selection.ts';
import { TagModal } from './tag-modal.tsx';

interface BarProps {
  readonly selection: DocumentSelection;
  readonly onChanged: () => void;
  readonly onDeleted: () => void;
}

/**
 * The number of selected documents, which screen readers announce, and the actions for them. It has the same height
 * without a selection, so that the rows do not move.
 */
export function SelectionBar(props: BarProps) {
  const { documents } = props.selection;
  const isEmpty = documents.length === 0;
  return (
    <Paper withBorder p="xs" aria-label="Selection" component="section">
      <Group gap="xs" mih={30}>
        <Text size="sm" fw={isEmpty ? 400 : 600} role="status" mr="auto">
          {isEmpty
            ? 'Select documents to tag, retry or delete them'
            : `${formatCountOf(documents.length, 'document')} selected`}
        </Text>
        {!isEmpty && <SelectionActions {...props} />}
      </Group>
    </Paper>
  );
}

function SelectionActions({ selection, onChanged, onDeleted }: BarProps) {
  const { id: projectId } = useProject();
  const { documents, clear } = selection;
  const [tagAction, setTagAction] = useState<'add' | 'remove' | null>(null);
  const remove = useNotifyingMutation(deleteDocumentsMutation, 'No document was deleted');
  const retry = useNotifyingMutation(retryDocumentsMutation, 'No document was processed again');
  const failed = documents.filter(({ status }) => status === 'FAILED');
  const count = formatCountOf(documents.length, 'document');
  const documentIds = documents.map(({ id }) => id);

  const confirmDeletion = () =>
    confirmAction({
      title: `Delete ${count}?`,
      text: `This deletes ${count} with the originals and chunks: ${namesOf(documents)}. The assistant will no longer answer from them. This cannot be undone.`,
      confirm: `Delete ${count}`,
      onConfirm: async () => {
        const data = await remove.run({ projectId, documentIds });
        if (data === null) return;
        notifySuccess(`${formatCountOf(data.deleteDocuments, 'document')} deleted`);
        clear();
        onDeleted();
      },
    });
  const retryFailed = async () => {
    const data = await retry.run({ projectId, documentIds: failed.map(({ id }) => id) });
    if (data === null) return;
    const retried = formatCountOf(data.retryDocuments, 'document');
    if (data.retryDocuments === failed.length) notifySuccess(`Processing ${retried} again`);
    else {
      const others = 'The others have not failed any more, or were deleted';
      notifyProblem(`Processing ${retried} again`, `${others}: ${namesOf(failed)}`);
    }
    onChanged();
  };
  const buttonProps = { size: 'xs', variant: 'default' } as const;
  return (
    <>
      {failed.length > 0 && (
        <Button
          {...buttonProps}
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={retry.isRunning}
          onClick={() => void retryFailed()}
        >
          Retry {failed.length} failed
        </Button>
      )}
      <Button
        {...buttonProps}
        leftSection={<IconTag size={14} aria-hidden />}
        onClick={() => setTagAction('add')}
      >
        Add tag
      </Button>
      {documents.some(({ tags }) => tags.length > 0) && (
        <Button {...buttonProps} onClick={() => setTagAction('remove')}>
          Remove tag
        </Button>
      )}
      <Button
        size="xs"
        variant="light"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        loading={remove.isRunning}
        onClick={confirmDeletion}
      >
        Delete
      </Button>
      <Button size="xs" variant="subtle" onClick={clear}>
        Clear selection
      </Button>
      <TagModal
        action={tagAction}
        documents={documents}
        onClose={() => setTagAction(null)}
        onChanged={onChanged}
      />
    </>
  );
}

const maxShownNames = 5;

function namesOf(documents: readonly { readonly name: string }[]): string {
  const names = documents.slice(0, maxShownNames).map(({ name }) => name);
  const rest = documents.length - names.length;
  return rest === 0 ? names.join(', ') : `${names.join(', ')} and ${rest} more`;
}
