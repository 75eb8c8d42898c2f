import { Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import type { Saving } from '../../project/use-notifying-mutation.ts';

interface ModalProps {
  readonly onClose: () => void;
  /** Name of the set to rename. Null for a new set. */
  readonly name: string | null;
  readonly saving: Saving;
  /**
   * Saves the name. Resolves to true if that succeeded. Must pass errors to `handleError`, which returns whether the form
   * shows them.
   */
  readonly onSave: (
    name: string,
    handleError: (messages: readonly string[], code: unknown) => boolean,
  ) => Promise<boolean>;
}

/** The form for the name of a question set. */
export function SetNameModal({ opened, ...props }: ModalProps & { readonly opened: boolean }) {
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title={props.name === null ? 'Create a question set' : 'Rename the question set'}
    >
      <SetNameForm {...props} />
    </Modal>
  );
}

function SetNameForm({ onClose, name, saving, onSave }: ModalProps) {
  const form = useForm({
    initialValues: { name: name ?? '' },
    validate: { name: (entered) => (entered.trim() === '' ? 'Enter a name' : null) },
  });
  const submit = form.onSubmit(async (values) => {
    const isSaved = await onSave(values.name.trim(), (messages, code) => {
      // The service reports a name that is in use as a conflict, without the name of the field.
      const errors =
        code === 'CONFLICT'
          ? { name: messages.join('. ') }
          : fieldErrors(messages, { name: 'name' });
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
    if (isSaved) onClose();
  });
  return (
    <ModalForm
      onSubmit={submit}
      submitLabel={name === null ? 'Create' : 'Save'}
      saving={saving}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        maxLength={255}
        dir="auto"
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
    </ModalForm>
  );
}
