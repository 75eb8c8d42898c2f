import { Checkbox, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { EditModalProps } from '../../components/edit-modal-props.ts';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import { allEventTypes, eventTypeDescriptions } from './webhook-event-types.ts';

interface EndpointSettings {
  readonly url: string;
  readonly types: readonly string[];
}

/** The form for the URL and the event types of an endpoint. */
export function WebhookEndpointModal({
  opened,
  onClose,
  title,
  action,
  initial,
  saving,
  onSave,
}: EditModalProps<EndpointSettings> & { readonly title: string; readonly action: string }) {
  const form = useForm({
    initialValues: { url: initial?.url ?? '', types: [...(initial?.types ?? allEventTypes)] },
    validate: {
      url: (url) => (URL.canParse(url) ? null : 'Enter a URL that starts with https://'),
      types: (types) => (types.length === 0 ? 'Choose at least one event' : null),
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async (settings) => {
    const isSaved = await onSave(settings, (messages) =>
      showFieldErrors(form, messages, { url: 'url', types: 'types' }),
    );
    if (!isSaved) return;
    if (initial === null) form.reset();
    else form.resetDirty();
    onClose();
  });
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <ModalForm onSubmit={submit} submitLabel={action} saving={saving} onCancel={close}>
        <TextInput
          label="URL"
          type="url"
          placeholder="https://example.com/hooks"
          withAsterisk
          data-autofocus
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label="Events" {...form.getInputProps('types')}>
          <Stack gap="xs" my="xs">
            {Object.entries(eventTypeDescriptions).map(([type, text]) => (
              <Checkbox key={type} value={type} label={type} description={text} />
            ))}
          </Stack>
        </Checkbox.Group>
      </ModalForm>
    </Modal>
  );
}
