import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors } from '../shell/field-errors.ts';
import { allEventTypes, eventTypes } from './event-types.ts';

interface EndpointSettings {
  readonly url: string;
  readonly types: readonly string[];
}

/** Asks where events go, and which. `onSave` is told how the service's words are shown beside the fields. */
export function EndpointModal({
  opened,
  onClose,
  title,
  action,
  initial,
  isRunning,
  onSave,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly action: string;
  /** Null: a new one. */
  readonly initial: EndpointSettings | null;
  readonly isRunning: boolean;
  readonly onSave: (
    settings: EndpointSettings,
    tell: (messages: readonly string[]) => boolean,
  ) => Promise<boolean>;
}) {
  const form = useForm({
    initialValues: { url: initial?.url ?? '', types: [...(initial?.types ?? allEventTypes)] },
    validate: {
      url: (url) => (URL.canParse(url) ? null : 'Enter an address that begins with https://'),
      types: (types) => (types.length === 0 ? 'Choose at least one event' : null),
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async (settings) => {
    const isSaved = await onSave(settings, (messages) => {
      const errors = fieldErrors(messages, { url: 'url', types: 'types' });
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
    if (!isSaved) return;
    if (initial === null) form.reset();
    else form.resetDirty();
    onClose();
  });
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Address"
            type="url"
            placeholder="https://example.com/hooks"
            withAsterisk
            data-autofocus
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label="Events" {...form.getInputProps('types')}>
            <Stack gap="xs" my="xs">
              {Object.entries(eventTypes).map(([type, text]) => (
                <Checkbox key={type} value={type} label={type} description={text} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isRunning}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
