import { Checkbox, JsonInput, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { showFieldErrors } from '../../components/field-errors.ts';
import { ModalForm } from '../../components/modal-form.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { type CreatedApiKey, createApiKeyMutation } from './api-key-operations.ts';
import { allScopes, defaultScopes, scopes } from './api-key-scopes.ts';
import { expiryOf, expiryProblem, KeyExpiryFields } from './key-expiry-fields.tsx';
import { filterProblem, parseFilterText } from './key-filter.ts';

export function CreateApiKeyModal({
  opened,
  onClose,
  onCreated,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedApiKey) => void;
}) {
  const { id: projectId, organizationId } = useProject();
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
      day: (_day, values) => expiryProblem(values),
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit(async ({ name, reach, scopes, filter, ...expiry }) => {
    const input = {
      organizationId,
      projectId: reach === 'project' ? projectId : null,
      name,
      scopes,
      filter: parseFilterText(filter),
      expiresAt: expiryOf(expiry)?.toISOString() ?? null,
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
      <ModalForm onSubmit={submit} submitLabel="Create the key" saving={create} onCancel={close}>
        <TextInput
          label="Name"
          description="What uses the key, for example the website."
          withAsterisk
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ReachRadios {...form.getInputProps('reach')} />
        <ScopeCheckboxes {...form.getInputProps('scopes')} />
        <JsonInput
          label="Only these documents"
          description="A filter as JSON. Empty: all documents."
          placeholder='{"tags": {"in": ["public"]}}'
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('filter')}
        />
        <KeyExpiryFields form={form} />
      </ModalForm>
    </Modal>
  );
}

type InputProps = ReturnType<UseFormReturnType<object>['getInputProps']>;

function ReachRadios(inputProps: InputProps) {
  const { name } = useProject();
  return (
    <Radio.Group label="Valid for" {...inputProps}>
      <Stack gap="xs" mt="xs">
        <Radio value="project" label={`Only ${name}`} />
        <Radio
          value="organization"
          label="All projects of the organization"
          description="Each request must contain a projectId."
        />
      </Stack>
    </Radio.Group>
  );
}

function ScopeCheckboxes(inputProps: InputProps) {
  return (
    <Checkbox.Group label="Scopes" {...inputProps}>
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
  );
}
