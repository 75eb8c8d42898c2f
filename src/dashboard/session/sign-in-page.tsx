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
import { useState } from 'react';
import type { Session } from './session.ts';
import type { SignInMethod } from './sign-in-methods.ts';

interface SignInPageProps {
  readonly method: SignInMethod;
  readonly isLinkStale: boolean;
  readonly onSession: (session: Session) => void;
}

export function SignInPage({ method, isLinkStale, onSession }: SignInPageProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card withBorder padding="xl" radius="md" w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h3">
            Sign in to grounded-chat
          </Title>
          {method.type === 'link' ? (
            <LinkHelp isLinkStale={isLinkStale} />
          ) : (
            <SupabaseForm method={method} onSession={onSession} />
          )}
        </Stack>
      </Card>
    </Center>
  );
}

function LinkHelp({ isLinkStale }: { readonly isLinkStale: boolean }) {
  return (
    <>
      {isLinkStale && (
        <Alert color="yellow" title="This link no longer works">
          A sign-in link works once, within a day.
        </Alert>
      )}
      <Text>
        The service prints a sign-in link when it starts. To make another, run this on its machine:
      </Text>
      <Code block>npm run cli -- sign-in</Code>
    </>
  );
}

function SupabaseForm({
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

  const attempt = async (way: 'password' | 'link', work: () => Promise<void>) => {
    setBusy(way);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Signing in failed');
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
          <Alert color="red" role="alert" title="Signing in failed">
            {failure}
          </Alert>
        )}
        {linkSentTo !== null && (
          <Alert color="green" role="status" title="Look at your mail">
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
