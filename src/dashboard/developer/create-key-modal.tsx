import { Button, Checkbox, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors } from '../shell/field-errors.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { createApiKeyMutation, type NewKey } from './api-key-operations.ts';
import { allScopes, scopes } from './scopes.ts';

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a day…' },
];
const dayMs = 86_400_000;
const dayAfter = (days: number) => new Date(Date.now() + days * dayMs);

export function CreateKeyModal({
  opened,
  onClose,
  onMade,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: NewKey) => void;
}) {
  const { id: projectId, organizationId, name: projectName } = useProject();
  const create = useAction(createApiKeyMutation, 'The key was not made');
  const form = useForm({
    initialValues: {
      name: '',
      reach: 'project',
      scopes: [...allScopes],
      lifetime: 'never',
      day: '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give the key a name' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Choose what the key may do' : null),
      day: (day, { lifetime }) =>
        lifetime === 'day' && Number.isNaN(endOf(day).getTime()) ? 'Choose a day' : null,
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async ({ name, reach, scopes, lifetime, day }) => {
    const input = {
      organizationId,
      projectId: reach === 'project' ? projectId : null,
      name,
      scopes,
      expiresAt: expiry(lifetime, day)?.toISOString() ?? null,
    };
    const made = await create.run({ input }, (messages) => {
      const fields = { name: 'name', scopes: 'scopes', expiresAt: 'day' };
      const errors = fieldErrors(messages, fields);
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
    if (made === null) return;
    close();
    onMade(made.createApiKey);
  });
  return (
    <Modal opened={opened} onClose={close} title="Make an API key">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Name"
            description="What uses it, such as the website."
            withAsterisk
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Radio.Group label="Valid for" {...form.getInputProps('reach')}>
            <Stack gap="xs" mt="xs">
              <Radio value="project" label={`Only ${projectName}`} />
              <Radio
                value="organization"
                label="All projects of the organization"
                description="Each request then names its projectId."
              />
            </Stack>
          </Radio.Group>
          <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
            <Stack gap="xs" my="xs">
              {allScopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scopes[scope].name}
                  description={scopes[scope].text}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group align="flex-start" grow>
            <Select
              label="Expires"
              data={lifetimes}
              allowDeselect={false}
              {...form.getInputProps('lifetime')}
            />
            {form.values.lifetime === 'day' && (
              <TextInput
                type="date"
                label="Last day"
                min={today()}
                {...form.getInputProps('day')}
              />
            )}
          </Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isRunning}>
              Make the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** When a key ends by itself; of a day that is named when it is over where the operator is. */
function expiry(lifetime: string, day: string): Date | null {
  if (lifetime === 'never') return null;
  if (lifetime !== 'day') return dayAfter(Number(lifetime));
  return endOf(day);
}

/** Days are not all of 24 hours. */
function endOf(day: string): Date {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end;
}

/** Where the operator is; in Swedish days are written as HTML does. */
function today(): string {
  return new Date().toLocaleDateString('sv');
}
