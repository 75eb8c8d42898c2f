import { Alert, Button, Card, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { RelativeTime } from '../components/relative-time.tsx';
import { roles } from '../settings/members/roles.ts';
import { acceptInvitation, type Invitation, readInvitation } from './invitation.ts';
import type { Session } from './session.ts';

interface InvitationPageProps {
  readonly secret: string;
  /**
   * Whether the link itself signs the operator in. With Supabase Auth, the operator signs in there, and joins if the
   * e-mail address is the invited one.
   */
  readonly startsSession: boolean;
  /** Whether an operator is already signed in. */
  readonly hasSession: boolean;
  readonly onAccepted: (session: Session) => void;
  /** Leaves this page and opens the dashboard or the sign-in page. */
  readonly onContinue: () => void;
}

type PageState =
  | { readonly status: 'loading' | 'invalid' | 'unreachable' }
  | { readonly status: 'open'; readonly invitation: Invitation };

/** Shows the invitation that the opened link belongs to. The invitation is accepted only when the operator clicks the button. */
export function InvitationPage(props: InvitationPageProps) {
  const { secret, hasSession, onContinue } = props;
  const [state, setState] = useState<PageState>({ status: 'loading' });
  useEffect(() => {
    document.title = 'Invitation · grounded-chat';
    readInvitation(secret).then(
      (invitation) =>
        setState(invitation === null ? { status: 'invalid' } : { status: 'open', invitation }),
      () => setState({ status: 'unreachable' }),
    );
  }, [secret]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card withBorder padding="xl" radius="md" w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {state.status === 'open' ? `Join ${state.invitation.organizationName}` : 'Invitation'}
          </Title>
          {state.status === 'loading' && <Loader aria-label="Loading" />}
          {state.status === 'invalid' && <NotValid />}
          {state.status === 'unreachable' && <Unreachable />}
          {state.status === 'open' && (
            <OpenInvitation
              {...props}
              invitation={state.invitation}
              onInvalid={() => setState({ status: 'invalid' })}
            />
          )}
          {state.status === 'invalid' && (
            <Button variant="default" onClick={onContinue}>
              {hasSession ? 'Open the dashboard' : 'Go to the sign-in page'}
            </Button>
          )}
        </Stack>
      </Card>
    </Center>
  );
}

function NotValid() {
  return (
    <Alert color="yellow" role="alert" title="This invitation is not valid">
      It was accepted, revoked or replaced by a newer link, or is older than 7 days. Ask the person
      who invited you for a new link.
    </Alert>
  );
}

function Unreachable() {
  return (
    <Alert color="red" role="alert" title="The invitation cannot be read">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">The service is not responding. Check your connection.</Text>
        <Text size="sm">Then open the link again.</Text>
      </Stack>
    </Alert>
  );
}

function OpenInvitation({
  secret,
  invitation: { email, role, expiresAt },
  startsSession,
  hasSession,
  onAccepted,
  onContinue,
  onInvalid,
}: InvitationPageProps & { readonly invitation: Invitation; readonly onInvalid: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const accept = async () => {
    setIsBusy(true);
    setHasFailed(false);
    try {
      const session = await acceptInvitation(secret);
      if (session === null) onInvalid();
      else onAccepted(session);
    } catch {
      setHasFailed(true);
      setIsBusy(false);
    }
  };
  const known = roles.find(({ value }) => value === role);
  return (
    <>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {email} is invited as <b>{known?.label ?? role}</b>. {known?.text}
      </Text>
      <Text size="sm" c="dimmed">
        The invitation expires <RelativeTime at={expiresAt} span inherit />.
      </Text>
      {hasFailed && (
        <Alert color="red" role="alert" title="The invitation was not accepted">
          The service is not responding. Try again in a moment.
        </Alert>
      )}
      {startsSession ? (
        <>
          <Button onClick={accept} loading={isBusy}>
            Accept the invitation
          </Button>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            This browser is then signed in as {email}.
          </Text>
        </>
      ) : (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            To join, sign in with the confirmed address {email}.
            {hasSession && ' If you are signed in with another address, sign out first.'}
          </Text>
          <Button onClick={onContinue}>
            {hasSession ? 'Open the dashboard' : 'Continue to sign-in'}
          </Button>
        </>
      )}
    </>
  );
}
