import { Modal, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { EditModalProps } from '../../components/edit-modal-props.ts';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';

interface SavedReplyTexts {
  readonly name: string;
  readonly content: string;
}

/** The form for a saved reply. */
export function SavedReplyModal({
  opened,
  onClose,
  initial,
  saving,
  onSave,
}: EditModalProps<SavedReplyTexts>) {
  const form = useForm({
    initialValues: { name: initial?.name ?? '', content: initial?.content ?? '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      content: (content) => (content.trim() === '' ? 'Enter a text' : null),
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async (texts) => {
    const isSaved = await onSave(texts, (messages) =>
      showFieldErrors(form, messages, { name: 'name', content: 'content' }),
    );
    if (isSaved) close();
  });
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={initial === null ? 'Add a saved reply' : 'Edit the saved reply'}
    >
      <ModalForm
        onSubmit={submit}
        submitLabel={initial === null ? 'Add' : 'Save'}
        saving={saving}
        onCancel={close}
      >
        <TextInput
          label="Name"
          description="Agents type / and a part of it"
          maxLength={60}
          dir="auto"
          withAsterisk
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Text"
          description="{{visitor}} becomes the name of the end user, {{agent}} the name of the agent"
          maxLength={4_000}
          dir="auto"
          withAsterisk
          autosize
          minRows={4}
          maxRows={12}
          {...form.getInputProps('content')}
        />
      </ModalForm>
    </Modal>
  );
}
