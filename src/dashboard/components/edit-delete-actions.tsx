import { Button } from '@mantine/core';
import { DangerButton } from './danger-button.tsx';

/** The buttons of a row that can be edited and deleted. `name` distinguishes them from the buttons of other rows. */
export function EditDeleteActions({
  name,
  isDeleting,
  onEdit,
  onDelete,
}: {
  readonly name: string;
  readonly isDeleting: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  return (
    <>
      <Button size="xs" variant="default" onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <DangerButton label={`Delete ${name}`} isRunning={isDeleting} onClick={onDelete}>
        Delete
      </DangerButton>
    </>
  );
}
