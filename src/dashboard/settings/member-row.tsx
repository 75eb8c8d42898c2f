import { Button, Select, Text } from '@mantine/core';
import { askFirst } from '../shell/ask-first.tsx';
import { notifySuccess } from '../shell/failure.tsx';
import { type Role, useOperator } from '../shell/operator.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { Row } from '../shell/row-list.tsx';
import { useAction } from '../shell/use-action.ts';
import { type Member, removeMemberMutation, updateMemberMutation } from './member-operations.ts';
import { roles } from './roles.ts';

export function MemberRow({
  member: { email, role },
  onChange,
}: {
  readonly member: Member;
  readonly onChange: () => void;
}) {
  const { organizationId } = useProject();
  const { canManage, isOwner } = usePermissions();
  const { email: ownEmail } = useOperator();
  const change = useAction(updateMemberMutation, 'The role was not changed');
  const remove = useAction(removeMemberMutation, 'The member was not removed');
  const isOwn = email === ownEmail;
  const label = roles.find(({ value }) => value === role)?.label ?? role;

  const giveRole = async (chosen: Role) => {
    const changed = await change.run({ input: { organizationId, email, role: chosen } });
    if (changed !== null) notifySuccess(`The role of ${email} was changed`);
    onChange();
  };
  const askForRole = (chosen: Role) => {
    if (!isOwn) return giveRole(chosen);
    askFirst({
      title: 'Change your own role?',
      text: 'Somebody else must give it back to you.',
      confirm: 'Change',
      onConfirm: () => giveRole(chosen),
    });
  };
  const askToRemove = () =>
    askFirst({
      title: isOwn ? 'Leave the organization?' : 'Remove this member?',
      text: `${email} sees nothing of the organization from now on.`,
      confirm: isOwn ? 'Leave' : 'Remove',
      onConfirm: async () => {
        if ((await remove.run({ input: { organizationId, email } })) === null) return;
        notifySuccess(`${email} was removed`);
        onChange();
      },
    });

  const isChangeable = canManage && (isOwner || role !== 'OWNER');
  return (
    <Row
      actions={
        isChangeable ? (
          <>
            <Select
              aria-label={`Role of ${email}`}
              size="xs"
              w={110}
              allowDeselect={false}
              disabled={change.isRunning}
              data={givenBy(isOwner)}
              value={role}
              onChange={(chosen) => chosen !== null && chosen !== role && askForRole(chosen)}
            />
            <Button
              size="xs"
              variant="light"
              color="red"
              loading={remove.isRunning}
              onClick={askToRemove}
              aria-label={isOwn ? 'Leave the organization' : `Remove ${email}`}
            >
              {isOwn ? 'Leave' : 'Remove'}
            </Button>
          </>
        ) : (
          <Text size="sm">{label}</Text>
        )
      }
    >
      {email}
      {isOwn && (
        <Text span c="dimmed">
          {' '}
          (you)
        </Text>
      )}
    </Row>
  );
}

/** The roles that an owner or an admin may give. */
export function givenBy(isOwner: boolean): { value: Role; label: string }[] {
  return roles
    .filter(({ value }) => isOwner || value !== 'OWNER')
    .map(({ value, label }) => ({ value, label }));
}
