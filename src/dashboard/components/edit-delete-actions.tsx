import { Button } from '@mantine/core';
import { DeleteButton, type Deletion } from './delete-button.tsx';

/** The buttons of a row that can be edited and deleted. */
export function EditDeleteActions<Variables extends Record<string, unknown>>({
  onEdit,
  ...deletion
}: Deletion<Variables> & { readonly onEdit: () => void }) {
  return (
    <>
      <Button size="xs" variant="default" onClick={onEdit} aria-label={`Edit ${deletion.name}`}>
        Edit
      </Button>
      <DeleteButton {...deletion} />
    </>
  );
}
