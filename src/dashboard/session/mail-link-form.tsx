import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { requestSignInMail } from './link-session.ts';

type State = 'idle' | 'sending' | { readonly sentTo: string } | { readonly failure: string };

/** Sends a sign-in link to the address of an operator. */
export function MailLinkForm() {
  const [state, setState] = useState<State>('idle');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (email) => (email.includes('@') ? null : 'Enter your e-mail address') },
  });
  const submit = form.onSubmit(async ({ email }) => {
    setState('sending');
    try {
      await requestSignInMail(email.trim());
      setState({ sentTo: email.trim() });
    } catch (error) {
      setState({ failure: error instanceof Error ? error.message : 'No link was sent' });
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {typeof state === 'object' && 'failure' in state && (
          <Alert color="red" role="alert" title="No link was sent">
            {state.failure}
          </Alert>
        )}
        {typeof state === 'object' && 'sentTo' in state && (
          <Alert color="green" role="status" title="Check your e-mail">
            If {state.sentTo} belongs to a member, a link is on its way. It works once, within an
            hour.
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
        <Button type="submit" loading={state === 'sending'}>
          Send me a sign-in link
        </Button>
      </Stack>
    </form>
  );
}
