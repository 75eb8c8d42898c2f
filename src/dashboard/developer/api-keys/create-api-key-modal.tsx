import { Checkbox, Group, JsonInput, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { type CreatedApiKey, createApiKeyMutation } from './api-key-operations.ts';
import { allScopes, defaultScopes, scopes } from './api-key-scopes.ts';
import { filterProblem, parseFilterText } from './key-filter.ts';

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'day', label: 'On a date…' },
];
const dayMs = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs);

export function CreateApiKeyModal({
  opened,
  onClose,
  onCreated,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedApiKey) => void;
}) {
  const { id: projectId, organizationId, name: projectName } = useProject();
  const create = useNotifyingMutation(createApiKeyMutation, 'The key was not created');
  const form = useForm({
    initialValues: {
      name: '',
      reach: 'project',
      scopes: [...defaultScopes],
      filter: '',
      lifetime: 'never',
      day: '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one scope' : null),
      filter: (filter, { scopes }) => filterProblem(filter, scopes),
      day: (day, { lifetime }) =>
        lifetime === 'day' && Number.isNaN(endOfDay(day).getTime()) ? 'Choose a date' : null,
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async ({ name, reach, scopes, filter, lifetime, day }) => {
    const input = {
      organizationId,
      projectId: reach === 'project' ? projectId : null,
      name,
      scopes,
      filter: parseFilterText(filter),
      expiresAt: expiryOf(lifetime, day)?.toISOString() ?? null,
    };
    const created = await create.run({ input }, (messages) => {
      const fields = { name: 'name', scopes: 'scopes', filter: 'filter', expiresAt: 'day' };
      return showFieldErrors(form, messages, fields);
    });
    if (created === null) return;
    close();
    onCreated(created.createApiKey);
  });
  return (
    <Modal opened={opened} onClose={close} title="Create an API key">
      <ModalForm
        onSubmit={submit}
        submitLabel="Create the key"
        isRunning={create.isRunning}
        onCancel={close}
      >
        <TextInput
          label="Name"
          description="What uses the key, for example the website."
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
              description="Each request must contain a projectId."
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
        <JsonInput
          label="Only these documents"
          description="A filter as JSON. Empty: all documents."
          placeholder='{"tags": {"in": ["public"]}}'
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('filter')}
        />
        <Group align="flex-start" grow>
          <Select
            label="Expires"
            data={lifetimes}
            allowDeselect={false}
            {...form.getInputProps('lifetime')}
          />
          {form.values.lifetime === 'day' && (
            <TextInput type="date" label="Last day" min={today()} {...form.getInputProps('day')} />
          )}
        </Group>
      </ModalForm>
    </Modal>
  );
}

/**
 * Returns when a key expires, or null if it never expires. With the lifetime `day`, the key expires at the end of `day`
 * in the operator's time zone.
 */
function expiryOf(lifetime: string, day: string): Date | null {
  if (lifetime === 'never') return null;
  if (lifetime !== 'day') return daysFromNow(Number(lifetime));
  return endOfDay(day);
}

/**
 * Returns the start of the next day. Adds a calendar day instead of 24 hours, because a day on which daylight saving
 * time changes has 23 or 25 hours.
 */
function endOfDay(day: string): Date {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end;
}

/** Returns the operator's local date as `YYYY-MM-DD`. The Swedish locale `sv` uses this date format. */
function today(): string {
  return new Date().toLocaleDateString('sv');
}
