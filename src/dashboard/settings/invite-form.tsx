import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifySuccess } from '../shell/failure.tsx';
import { fieldErrors } from '../shell/field-errors.ts';
import type { Role } from '../shell/operator.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { useAction } from '../shell/use-action.ts';
import { inviteMutation } from './member-operations.ts';
import { givenBy } from './member-row.tsx';

export function InviteForm({ onInvited }: { readonly onInvited: () => void }) {
  const { organizationId } = useProject();
  const { isOwner } = usePermissions();
  const invite = useAction(inviteMutation, 'Nobody was invited');
  const form = useForm({
    initialValues: { email: '', role: 'AGENT' as Role },
    validate: { email: (email) => (email.includes('@') ? null : 'Enter an e-mail address') },
  });
  const submit = form.onSubmit(async ({ email, role }) => {
    const input = { organizationId, email: email.trim(), role };
    const invited = await invite.run({ input }, (messages) => {
      const errors = fieldErrors(messages, { email: 'email' });
      if (errors !== null) form.setErrors(errors);
      return errors !== null;
    });
    if (invited === null) return;
    notifySuccess(`${invited.inviteMember.email} is a member as soon as they sign in`);
    form.reset();
    onInvited();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start">
        <TextInput
          label="Invite by e-mail"
          type="email"
          flex="1 1 14rem"
          {...form.getInputProps('email')}
        />
        <Select
          label="As"
          data={givenBy(isOwner)}
          allowDeselect={false}
          w={110}
          {...form.getInputProps('role')}
        />
        <Button type="submit" mt={25} loading={invite.isRunning}>
          Invite
        </Button>
      </Group>
    </form>
  );
}
