import { useDisclosure } from '@mantine/hooks';
import { confirmAction } from '../../components/confirm-action.tsx';
import { EditDeleteActions } from '../../components/edit-delete-actions.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { Row } from '../../components/row-list.tsx';
import { LabelBadge } from '../../labels/label-badges.tsx';
import type { Label } from '../../labels/label-operations.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { deleteLabelMutation, updateLabelMutation } from './label-admin-operations.ts';
import { LabelModal } from './label-modal.tsx';

export function LabelRow({
  label: { id: labelId, name, color },
  onChange,
}: {
  readonly label: Label;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  const [isEditing, editing] = useDisclosure(false);
  const update = useNotifyingMutation(updateLabelMutation, 'The label was not changed');
  const remove = useNotifyingMutation(deleteLabelMutation, 'The label was not deleted');
  const confirmDelete = () =>
    confirmAction({
      title: 'Delete this label?',
      text: `All conversations lose “${name}”. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: async () => {
        if ((await remove.run({ labelId })) === null) return;
        notifySuccess('The label was deleted');
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
      <LabelBadge label={{ name, color }} />
      <LabelModal
        key={`${name} ${color}`}
        opened={isEditing}
        onClose={editing.close}
        initial={{ name, color }}
        isRunning={update.isRunning}
        onSave={async (values, handleError) => {
          const saved = await update.run({ labelId, ...values }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </Row>
  );
}
