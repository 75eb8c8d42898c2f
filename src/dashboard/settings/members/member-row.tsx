import { Button, Select, Text } from '@mantine/core';
import { confirmAction } from '../../components/confirm-action.tsx';
import { DangerButton } from '../../components/danger-button.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { Row } from '../../components/row-list.tsx';
import { type Role, useOperator } from '../../project/operator.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { useSession } from '../../session/session-gate.tsx';
import {
  createSignInLinkMutation,
  type Member,
  removeMemberMutation,
  type SignInLink,
  updateMemberMutation,
} from './member-operations.ts';
import { roles } from './roles.ts';

interface MemberProps {
  readonly member: Member;
  readonly onChange: () => void;
}

export function MemberRow({
  member,
  onLink,
  onChange,
}: MemberProps & {
  /** Shows a new sign-in link. */
  readonly onLink: (link: SignInLink) => void;
}) {
  const { email, displayName, role } = member;
  const { canManage, isOwner } = usePermissions();
  const { email: ownEmail } = useOperator();
  // With Supabase Auth, the session has no list, and members sign in there instead of with links.
  const hasLinks = useSession().list !== null;
  const isChangeable = canManage && (isOwner || role !== 'OWNER');
  const actions = isChangeable ? (
    <>
      <RoleSelect member={member} onChange={onChange} />
      {hasLinks && <SignInLinkButton email={email} onLink={onLink} />}
      <RemoveButton email={email} onChange={onChange} />
    </>
  ) : (
    <Text size="sm">{roles.find(({ value }) => value === role)?.label ?? role}</Text>
  );
  return (
    <Row actions={actions}>
      {displayName === null ? email : `${displayName} · ${email}`}
      {email === ownEmail && (
        <Text span c="dimmed">
          {' '}
          (you)
        </Text>
      )}
    </Row>
  );
}

function RoleSelect({ member: { email, role }, onChange }: MemberProps) {
  const { organizationId } = useProject();
  const { isOwner } = usePermissions();
  const { email: ownEmail } = useOperator();
  const update = useNotifyingMutation(updateMemberMutation, 'The role was not changed');
  const changeRole = async (chosen: Role) => {
    const changed = await update.run({ input: { organizationId, email, role: chosen } });
    if (changed !== null) notifySuccess(`The role of ${email} was changed`);
    onChange();
  };
  const confirmRoleChange = (chosen: Role) => {
    if (email !== ownEmail) return changeRole(chosen);
    confirmAction({
      title: 'Change your own role?',
      text: 'You cannot undo this yourself. Another member must change it back.',
      confirm: 'Change',
      onConfirm: () => changeRole(chosen),
    });
  };
  return (
    <Select
      aria-label={`Role of ${email}`}
      size="xs"
      w={110}
      allowDeselect={false}
      disabled={update.isRunning}
      data={assignableRoles(isOwner)}
      value={role}
      onChange={(chosen) => chosen !== null && chosen !== role && confirmRoleChange(chosen)}
    />
  );
}

function SignInLinkButton({
  email,
  onLink,
}: {
  readonly email: string;
  readonly onLink: (link: SignInLink) => void;
}) {
  const { organizationId } = useProject();
  const createLink = useNotifyingMutation(createSignInLinkMutation, 'There is no new link');
  const confirmLink = () =>
    confirmAction({
      title: 'Create a sign-in link?',
      text: `For members who cannot sign in any more. Whoever has the link can sign in as ${email}, once, within a day. The audit log records it.`,
      confirm: 'Create link',
      onConfirm: async () => {
        const created = await createLink.run({ input: { organizationId, email } });
        if (created !== null) onLink(created.createSignInLink);
      },
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={createLink.isRunning}
      onClick={confirmLink}
      aria-label={`Sign-in link for ${email}`}
    >
      Sign-in link
    </Button>
  );
}

function RemoveButton({
  email,
  onChange,
}: {
  readonly email: string;
  readonly onChange: () => void;
}) {
  const { organizationId } = useProject();
  const isOwn = useOperator().email === email;
  const remove = useNotifyingMutation(removeMemberMutation, 'The member was not removed');
  const confirmRemove = () =>
    confirmAction({
      title: isOwn ? 'Leave the organization?' : 'Remove this member?',
      text: `${email} loses access to the organization.`,
      confirm: isOwn ? 'Leave' : 'Remove',
      onConfirm: async () => {
        if ((await remove.run({ input: { organizationId, email } })) === null) return;
        notifySuccess(`${email} was removed`);
        onChange();
      },
    });
  return (
    <DangerButton
      label={isOwn ? 'Leave the organization' : `Remove ${email}`}
      isRunning={remove.isRunning}
      onClick={confirmRemove}
    >
      {isOwn ? 'Leave' : 'Remove'}
    </DangerButton>
  );
}

/** Returns the roles that the operator may assign. `isOwner` is false if the operator is an admin. */
export function assignableRoles(isOwner: boolean): { value: Role; label: string }[] {
  return roles
    .filter(({ value }) => isOwner || value !== 'OWNER')
    .map(({ value, label }) => ({ value, label }));
}
