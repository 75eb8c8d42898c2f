import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { confirmAction } from '../../components/confirm-action.tsx';
import { EditDeleteActions } from '../../components/edit-delete-actions.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { Row } from '../../components/row-list.tsx';
import type { SavedReply } from '../../inbox/saved-reply-operations.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { SavedReplyModal } from './saved-reply-modal.tsx';
import { deleteSavedReplyMutation, updateSavedReplyMutation } from './saved-reply-operations.ts';

export function SavedReplyRow({
  reply: { id: savedReplyId, name, content },
  onChange,
}: {
  readonly reply: SavedReply;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  const [isEditing, editing] = useDisclosure(false);
  const update = useNotifyingMutation(updateSavedReplyMutation, 'The saved reply was not changed');
  const remove = useNotifyingMutation(deleteSavedReplyMutation, 'The saved reply was not deleted');
  const confirmDelete = () =>
    confirmAction({
      title: 'Delete this saved reply?',
      text: `Agents can no longer insert “${name}”. Replies that were sent with it stay.`,
      confirm: 'Delete',
      onConfirm: async () => {
        if ((await remove.run({ savedReplyId })) === null) return;
        notifySuccess('The saved reply was deleted');
        onChange();
      },
    });
  const actions = canManage && (
    <EditDeleteActions
      name={name}
      isDeleting={remove.isRunning}
      onEdit={editing.open}
      onDelete={confirmDelete}
    />
  );
  return (
    <Row actions={actions}>
      <Text fw={600} dir="auto">
        {name}
      </Text>
      <Text size="sm" c="dimmed" dir="auto" lineClamp={3} style={{ whiteSpace: 'pre-wrap' }}>
        {content}
      </Text>
      <SavedReplyModal
        key={`${name} ${content}`}
        opened={isEditing}
        onClose={editing.close}
        initial={{ name, content }}
        isRunning={update.isRunning}
        onSave={async (texts, handleError) => {
          const saved = await update.run({ savedReplyId, ...texts }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </Row>
  );
}
