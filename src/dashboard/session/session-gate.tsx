import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { type Session, withEndCallback } from './session.ts';
import { reloadOnSessionChange } from './session-broadcast.ts';
import { hadSession, rememberSession } from './session-memory.ts';
import { openSession, type SignInState } from './sign-in-methods.ts';
import { SignInPage } from './sign-in-page.tsx';

const InvitationPage = lazy(() =>
  import('./invitation-page.tsx').then(({ InvitationPage }) => ({ default: InvitationPage })),
);

const SessionContext = createContext<Session | null>(null);

/** Returns the operator's session. Requires `SessionGate`. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession requires SessionGate');
  return session;
}

type GateState =
  | { readonly status: 'opening' }
  | { readonly status: 'unreachable'; readonly message: string }
  | ({ readonly status: 'open'; readonly hasEnded: boolean } & SignInState);

/** Shows `children` to signed-in operators, and the sign-in page to everyone else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<GateState>({ status: 'opening' });
  useEffect(() => {
    openSession().then(
      (opened) => {
        if (opened.session !== null) rememberSession();
        setState({ status: 'open', hasEnded: opened.session === null && hadSession(), ...opened });
      },
      (error: Error) => setState({ status: 'unreachable', message: error.message }),
    );
    return reloadOnSessionChange();
  }, []);
  const open = state.status === 'open' ? state : null;
  const openedSession = open?.session ?? null;
  const session = useMemo(() => {
    const end = () =>
      setState((state) =>
        state.status === 'open'
          ? { ...state, session: null, linkFailure: null, oidcFailure: null, hasEnded: true }
          : state,
      );
    return openedSession && withEndCallback(openedSession, end);
  }, [openedSession]);

  if (state.status === 'unreachable') return <Unreachable message={state.message} />;
  if (open === null) return <Opening />;
  if (open.invitation !== null) {
    return (
      <Suspense fallback={<Opening />}>
        <InvitationPage
          secret={open.invitation}
          startsSession={open.method.type === 'link'}
          hasSession={session !== null}
          onAccepted={(session) => {
            rememberSession();
            setState({ ...open, session, hasEnded: false, linkFailure: null, invitation: null });
          }}
          onContinue={() => setState({ ...open, invitation: null })}
        />
      </Suspense>
    );
  }
  if (session === null) {
    return (
      <SignInPage
        method={open.method}
        linkFailure={open.linkFailure}
        oidcFailure={open.oidcFailure}
        hasEnded={open.hasEnded}
        onSession={(session) => {
          rememberSession();
          setState({ ...open, session, hasEnded: false });
        }}
      />
    );
  }
  return <SessionContext value={session}>{children}</SessionContext>;
}

function Opening() {
  return (
    <Center h="100dvh">
      <Loader aria-label="Loading" />
    </Center>
  );
}

function Unreachable({ message }: { readonly message: string }) {
  return (
    <Center component="main" h="100dvh" p="md">
      <Alert color="red" role="alert" title="Sign-in is unavailable">
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
