import { Button, Checkbox, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { createApiKeyMutation } from './api-key-operations.ts';
import { type Scope, scopeNames } from './scopes.ts';

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const dayMs = 86_400_000;

export function CreateKeyModal({
  opened,
  onClose,
  onSecret,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const { id: projectId, organizationId, name: projectName } = useProject();
  const create = useAction(createApiKeyMutation, 'The key was not made');
  const form = useForm({
    initialValues: {
      name: '',
      reach: 'project',
      scopes: Object.keys(scopeNames) as Scope[],
      days: '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give the key a name' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Choose what the key may do' : null),
    },
  });
  const submit = form.onSubmit(async ({ name, reach, scopes, days }) => {
    const made = await create.run({
      input: {
        organizationId,
        projectId: reach === 'project' ? projectId : null,
        name,
        scopes,
        expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
      },
    });
    if (made === null) return;
    form.reset();
    onClose();
    onSecret(made.createApiKey.secret);
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Make an API key">
      <form onSubmit={submit}>
        <Stack>
          <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} />
          <Radio.Group label="Reach" {...form.getInputProps('reach')}>
            <Stack gap="xs" mt="xs">
              <Radio value="project" label={`Only ${projectName}`} />
              <Radio value="organization" label="All projects of the organization" />
            </Stack>
          </Radio.Group>
          <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
            <Stack gap="xs" mt="xs">
              {Object.entries(scopeNames).map(([value, label]) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label="Expires"
            data={lifetimes}
            allowDeselect={false}
            {...form.getInputProps('days')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
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
