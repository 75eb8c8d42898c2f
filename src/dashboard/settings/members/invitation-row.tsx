import { Button, Text } from '@mantine/core';
import { confirmAction } from '../../components/confirm-action.tsx';
import { DangerButton } from '../../components/danger-button.tsx';
import { notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Row } from '../../components/row-list.tsx';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import {
  type Member,
  type NewInvitation,
  renewInvitationMutation,
  revokeInvitationMutation,
} from './member-operations.ts';
import { roles } from './roles.ts';

/** An invitation that has not been accepted yet. */
export function InvitationRow({
  member: { email, role, invitationExpiresAt },
  onRenewed,
  onChange,
}: {
  readonly member: Member;
  readonly onRenewed: (invitation: NewInvitation) => void;
  readonly onChange: () => void;
}) {
  const { organizationId } = useProject();
  const { canManage, isOwner } = usePermissions();
  const renew = useNotifyingMutation(renewInvitationMutation, 'There is no new link');
  const revoke = useNotifyingMutation(revokeInvitationMutation, 'The invitation was not revoked');
  const input = { organizationId, email };
  const label = roles.find(({ value }) => value === role)?.label ?? role;

  const createLink = async () => {
    const renewed = await renew.run({ input });
    if (renewed !== null) onRenewed(renewed.renewInvitation);
    onChange();
  };
  const confirmRevoke = () =>
    confirmAction({
      title: 'Revoke this invitation?',
      text: `The link for ${email} stops working.`,
      confirm: 'Revoke',
      onConfirm: async () => {
        if ((await revoke.run({ input })) !== null) {
          notifySuccess(`The invitation of ${email} was revoked`);
        }
        onChange();
      },
    });

  return (
    <Row
      actions={
        <>
          <Text size="sm">{label}</Text>
          {canManage && (isOwner || role !== 'OWNER') && (
            <>
              <Button
                size="xs"
                variant="default"
                loading={renew.isRunning}
                onClick={createLink}
                aria-label={`New link for ${email}`}
              >
                New link
              </Button>
              <DangerButton
                label={`Revoke the invitation of ${email}`}
                isRunning={revoke.isRunning}
                onClick={confirmRevoke}
              >
                Revoke
              </DangerButton>
            </>
          )}
        </>
      }
    >
      {email}
      <Text size="sm" c="dimmed">
        <Expiry at={invitationExpiresAt} />
      </Text>
    </Row>
  );
}

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return 'Pending: joins at the first sign-in';
  const time = <RelativeTime at={at} span inherit />;
  return Date.parse(at) > Date.now() ? <>Pending, expires {time}</> : <>Expired {time}</>;
}
