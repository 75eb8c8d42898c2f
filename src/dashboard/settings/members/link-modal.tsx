import { Alert, Text } from '@mantine/core';
import { OneTimeSecretModal } from '../../components/one-time-secret-modal.tsx';
import type { NewInvitation, SignInLink } from './member-operations.ts';

/** An invitation or sign-in link for a member. It is shown only once. */
export type NewLink =
  | { readonly type: 'invitation'; readonly created: NewInvitation }
  | { readonly type: 'sign-in'; readonly created: SignInLink };

const texts = {
  invitation: {
    title: 'Invitation',
    advice: 'It is not shown again. Whoever has it can join, once, within 7 days.',
    sent: 'The invitation',
  },
  'sign-in': {
    title: 'Sign-in link',
    advice:
      'It is not shown again. Whoever has it can sign in as this member, once, within a day. Earlier sign-in links of the member no longer work.',
    sent: 'The link',
  },
} as const;

/** A long link must not overflow on a phone. */
const wrap = { overflowWrap: 'anywhere' } as const;

/** Shows a new link for a member. The link cannot be shown again. */
export function LinkModal({
  link,
  onClose,
}: {
  /** The dialog is closed while this is null. */
  readonly link: NewLink | null;
  readonly onClose: () => void;
}) {
  const { title, advice, sent } = texts[link?.type ?? 'invitation'];
  const email = link?.created.membership.email;
  const mail = link?.created.mail;
  return (
    <OneTimeSecretModal
      title={title}
      label="Link"
      advice={advice}
      secret={link && new URL(link.created.link, location.origin).href}
      onClose={onClose}
    >
      {mail === 'OFF' && (
        <Text size="sm" style={wrap}>
          Send the link to {email}.
        </Text>
      )}
      {mail === 'SENT' && (
        <Text size="sm" style={wrap}>
          {sent} was also sent to {email} by e-mail.
        </Text>
      )}
      {mail === 'FAILED' && (
        <Alert color="red" role="alert" title="The e-mail was not sent">
          <span style={wrap}>
            The mail server did not accept it. Send the link to {email} yourself.
          </span>
        </Alert>
      )}
    </OneTimeSecretModal>
  );
}
