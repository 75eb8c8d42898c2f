import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { type Session, watchSession } from './session.ts';
import { followOtherTabs } from './session-tabs.ts';
import { type Opened, openSession } from './sign-in-methods.ts';
import { SignInPage } from './sign-in-page.tsx';

const SessionContext = createContext<Session | null>(null);

/** The session of whoever looks at the page. Only below `SessionGate`. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('There is no session here');
  return session;
}

type State =
  | { readonly at: 'opening' }
  | { readonly at: 'unreachable'; readonly message: string }
  | ({ readonly at: 'open'; readonly hasEnded: boolean } & Opened);

/** Shows `children` to operators who are signed in, and the way to sign in to everyone else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>({ at: 'opening' });
  useEffect(() => {
    openSession().then(
      (opened) => setState({ at: 'open', hasEnded: false, ...opened }),
      (error: Error) => setState({ at: 'unreachable', message: error.message }),
    );
    return followOtherTabs();
  }, []);
  const open = state.at === 'open' ? state : null;
  const held = open?.session ?? null;
  const session = useMemo(() => {
    const end = () =>
      setState((state) =>
        state.at === 'open'
          ? { ...state, session: null, linkFailure: null, hasEnded: true }
          : state,
      );
    return held && watchSession(held, end);
  }, [held]);

  if (state.at === 'unreachable') return <Unreachable message={state.message} />;
  if (open === null) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (session === null) {
    return (
      <SignInPage
        method={open.method}
        linkFailure={open.linkFailure}
        hasEnded={open.hasEnded}
        onSession={(session) => setState({ ...open, session, hasEnded: false })}
      />
    );
  }
  return <SessionContext value={session}>{children}</SessionContext>;
}

function Unreachable({ message }: { readonly message: string }) {
  return (
    <Center component="main" h="100dvh" p="md">
      <Alert color="red" role="alert" title="You cannot be signed in at the moment">
        <Stack align="flex-start" gap="xs">
          <Text size="sm">{message}. Check your connection.</Text>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Try again
          </Button>
        </Stack>
      </Alert>
    </Center>
  );
}
