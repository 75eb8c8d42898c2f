import { useDisclosure } from '@mantine/hooks';
import { EditDeleteActions } from '../../components/edit-delete-actions.tsx';
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
  const actions = canManage && (
    <EditDeleteActions
      noun="label"
      name={name}
      text={`All conversations lose “${name}”. This cannot be undone.`}
      mutation={deleteLabelMutation}
      variables={{ labelId }}
      onDeleted={onChange}
      onEdit={editing.open}
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
        saving={update}
        onSave={async (values, handleError) => {
          const saved = await update.run({ labelId, ...values }, handleError);
          if (saved !== null) onChange();
          return saved !== null;
        }}
      />
    </Row>
  );
}
