import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useClient } from 'urql';
import { notifySuccess } from '../../components/error-messages.tsx';
import { showFieldErrors } from '../../components/field-errors.ts';
import { reloadOperator } from '../../project/operator.tsx';
import { useProject } from '../../project/project.tsx';
import { useOwnDisplayName } from '../../project/use-agent-name.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { setDisplayNameMutation } from './member-operations.ts';

/** The name that end users see above the operator's replies. */
export function DisplayNameForm({ onChange }: { readonly onChange: () => void }) {
  const { organizationId } = useProject();
  const client = useClient();
  const update = useNotifyingMutation(setDisplayNameMutation, 'Your name was not changed');
  const form = useForm({ initialValues: { displayName: useOwnDisplayName() ?? '' } });
  const save = form.onSubmit(async (values) => {
    const displayName = values.displayName.trim() || null;
    const changed = await update.run({ input: { organizationId, displayName } }, (messages) =>
      showFieldErrors(form, messages, { displayName: 'displayName' }),
    );
    if (changed === null) return;
    form.resetDirty();
    notifySuccess('Your name was changed');
    reloadOperator(client);
    onChange();
  });
  return (
    <form onSubmit={save}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Your name"
          description="Visitors see it above your replies. Without a name they see “Our team”."
          placeholder="For example Ada"
          maxLength={60}
          dir="auto"
          autoComplete="nickname"
          style={{ flex: '1 1 240px' }}
          {...form.getInputProps('displayName')}
        />
        <Button
          type="submit"
          variant="default"
          loading={update.isRunning}
          disabled={!form.isDirty()}
        >
          Save
        </Button>
      </Group>
    </form>
  );
}
