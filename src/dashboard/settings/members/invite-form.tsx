import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFieldErrors } from '../../components/field-errors.ts';
import type { Role } from '../../project/operator.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { createInvitationMutation, type NewInvitation } from './member-operations.ts';
import { assignableRoles } from './member-row.tsx';

export function InviteForm({
  onInvited,
}: {
  readonly onInvited: (invitation: NewInvitation) => void;
}) {
  const { organizationId } = useProject();
  const { isOwner } = usePermissions();
  const invite = useNotifyingMutation(createInvitationMutation, 'The member was not invited');
  const form = useForm({
    initialValues: { email: '', role: 'AGENT' as Role },
    validate: { email: (email) => (email.includes('@') ? null : 'Enter an e-mail address') },
  });
  const submit = form.onSubmit(async ({ email, role }) => {
    const input = { organizationId, email: email.trim(), role };
    const invited = await invite.run({ input }, (messages) =>
      showFieldErrors(form, messages, { email: 'email' }),
    );
    if (invited === null) return;
    form.reset();
    onInvited(invited.createInvitation);
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
          label="Role"
          data={assignableRoles(isOwner)}
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
