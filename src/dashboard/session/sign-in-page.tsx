import {
  Alert,
  Button,
  Card,
  Center,
  Code,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { MailLinkForm } from './mail-link-form.tsx';
import { OidcSignIn } from './oidc-sign-in.tsx';
import type { Session } from './session.ts';
import type { SignInMethod } from './sign-in-methods.ts';

interface SignInPageProps {
  readonly method: SignInMethod;
  /** Why the sign-in link that opened the page failed. Null if the link worked, or if no link opened the page. */
  readonly linkFailure: string | null;
  /** Failure code of the sign-in with the OIDC provider. Null if it did not fail. */
  readonly oidcFailure: string | null;
  /** Whether the page is shown because a session has ended. */
  readonly hasEnded: boolean;
  readonly onSession: (session: Session) => void;
}

export function SignInPage({
  method,
  linkFailure,
  oidcFailure,
  hasEnded,
  onSession,
}: SignInPageProps) {
  useEffect(() => {
    document.title = 'Sign in · grounded-chat';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card withBorder padding="xl" radius="md" w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h3">
            Sign in to grounded-chat
          </Title>
          {hasEnded && (
            <Alert color="yellow" role="status" title="Your session has ended">
              {howToContinue(method)}
            </Alert>
          )}
          {linkFailure !== null && (
            <Alert color="yellow" role="alert" title="This sign-in link is not valid">
              {linkFailure}
            </Alert>
          )}
          {method.type === 'link' && method.oidc !== undefined && (
            <OidcSignIn {...method.oidc} failure={oidcFailure} />
          )}
          {method.type === 'link' && method.mailsLinks && <MailLinkForm />}
          {method.type === 'link' &&
            (method.oidc === undefined || linkFailure !== null || hasEnded) && (
              <LinkHelp
                isMember={hasEnded || linkFailure !== null}
                isFolded={method.mailsLinks === true}
              />
            )}
          {method.type === 'none' && <SignInNotConfigured />}
          {method.type === 'supabase' && (
            <SupabaseSignInForm method={method} onSession={onSession} />
          )}
        </Stack>
      </Card>
    </Center>
  );
}

function howToContinue(method: SignInMethod): string {
  switch (method.type) {
    case 'link':
      if (method.mailsLinks) return 'It was signed out or has expired. Sign in again by e-mail.';
      return method.oidc === undefined
        ? 'It was signed out or has expired. Open a new sign-in link to continue.'
        : `It was signed out or has expired. Sign in with ${method.oidc.name} or a new sign-in link to continue.`;
    case 'supabase':
      return 'It was signed out or has expired. Sign in again with your e-mail address.';
    case 'none':
      return 'It was signed out or has expired.';
  }
}

/**
 * Explains how to get a link. The people who run the service can use the command. Everybody else asks an owner or
 * admin.
 */
function LinkHelp({
  isMember,
  isFolded,
}: {
  readonly isMember: boolean;
  /** Whether the help opens with a click, because there is an easier way to sign in. */
  readonly isFolded: boolean;
}) {
  const help = (
    <Stack gap="xs">
      <Text>
        {isMember ? 'Ask' : 'You sign in with a link. Ask'} an owner or admin of your organization
        for a new sign-in link. They create it under Settings → Members.
      </Text>
      <Text size="sm" c="dimmed">
        If you run the service yourself, create a link on the server:
      </Text>
      <Code block>npm run cli -- sign-in --email you@example.com</Code>
      <Text size="sm" c="dimmed">
        Without --email the link is for the owner of the demo. With the embedded database, the
        service prints a link each time it starts.
      </Text>
    </Stack>
  );
  if (!isFolded) return help;
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }} mb="xs">
        Other ways to get a link
      </Text>
      {help}
    </details>
  );
}

function SignInNotConfigured() {
  return (
    <>
      <Alert color="yellow" title="Sign-in is not configured">
        The service accepts tokens of a Supabase project, but has no publishable key for its Auth.
      </Alert>
      <Text>
        Set <Code>SUPABASE_PUBLISHABLE_KEY</Code> to the project's publishable key, and restart the
        service.
      </Text>
    </>
  );
}

function SupabaseSignInForm({
  method,
  onSession,
}: {
  readonly method: Extract<SignInMethod, { type: 'supabase' }>;
  readonly onSession: (session: Session) => void;
}) {
  const [busy, setBusy] = useState<'password' | 'link' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [linkSentTo, setLinkSentTo] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email: (email) => (email.includes('@') ? null : 'Enter your e-mail address') },
  });

  const attempt = async (method: 'password' | 'link', work: () => Promise<void>) => {
    setBusy(method);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Sign-in failed');
    } finally {
      setBusy(null);
    }
  };

  return (
    <form
      onSubmit={form.onSubmit(({ email, password }) =>
        attempt('password', async () => onSession(await method.withPassword(email, password))),
      )}
    >
      <Stack>
        {failure !== null && (
          <Alert color="red" role="alert" title="Sign-in failed">
            {failure}
          </Alert>
        )}
        {linkSentTo !== null && (
          <Alert color="green" role="status" title="Check your e-mail">
            A sign-in link was sent to {linkSentTo}.
          </Alert>
        )}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy === 'password'}>
          Sign in
        </Button>
        <Button
          variant="default"
          loading={busy === 'link'}
          onClick={() => {
            if (form.validateField('email').hasError) return;
            const { email } = form.getValues();
            void attempt('link', async () => {
              await method.sendLink(email);
              setLinkSentTo(email);
            });
          }}
        >
          Send me a link instead
        </Button>
      </Stack>
    </form>
  );
}
