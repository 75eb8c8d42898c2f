import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { EditDeleteActions } from '../../components/edit-delete-actions.tsx';
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
  const actions = canManage && (
    <EditDeleteActions
      noun="saved reply"
      name={name}
      text={`Agents can no longer insert “${name}”. Replies that were sent with it stay.`}
      mutation={deleteSavedReplyMutation}
      variables={{ savedReplyId }}
      onDeleted={onChange}
      onEdit={editing.open}
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
        saving={update}
        onSave={async (texts, handleError) => {
          const saved = await update.run({ savedReplyId, ...texts }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </Row>
  );
}
