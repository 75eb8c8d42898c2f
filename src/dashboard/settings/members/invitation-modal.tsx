import { Alert, Text } from '@mantine/core';
import { OneTimeSecretModal } from '../../components/one-time-secret-modal.tsx';
import type { NewInvitation } from './member-operations.ts';

/** A long address must not overflow on a phone. */
const wrap = { overflowWrap: 'anywhere' } as const;

/** Shows the link of a new or renewed invitation, once. */
export function InvitationModal({
  invitation,
  onClose,
}: {
  /** The dialog is closed while this is null. */
  readonly invitation: NewInvitation | null;
  readonly onClose: () => void;
}) {
  const email = invitation?.membership.email;
  return (
    <OneTimeSecretModal
      title="Invitation"
      label="Link"
      advice="It is not shown again. Whoever has it can join, once, within 7 days."
      secret={invitation && new URL(invitation.link, location.origin).href}
      onClose={onClose}
    >
      {invitation?.mail === 'OFF' && (
        <Text size="sm" style={wrap}>
          Send the link to {email}.
        </Text>
      )}
      {invitation?.mail === 'SENT' && (
        <Text size="sm" style={wrap}>
          The invitation was also sent to {email} by e-mail.
        </Text>
      )}
      {invitation?.mail === 'FAILED' && (
        <Alert color="red" role="alert" title="The e-mail was not sent">
          <span style={wrap}>
            The mail server did not accept it. Send the link to {email} yourself.
          </span>
        </Alert>
      )}
    </OneTimeSecretModal>
  );
}
