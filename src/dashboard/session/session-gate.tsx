import { Alert, Center, Loader } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import type { Session } from './session.ts';
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
  | ({ readonly at: 'open' } & Opened);

/** Shows `children` to operators who are signed in, and the way to sign in to everyone else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>({ at: 'opening' });
  useEffect(() => {
    openSession().then(
      (opened) => setState({ at: 'open', ...opened }),
      (error: Error) => setState({ at: 'unreachable', message: error.message }),
    );
  }, []);

  if (state.at === 'opening') {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (state.at === 'unreachable') {
    return (
      <Center h="100dvh" p="md">
        <Alert color="red" title="Cannot reach the service">
          {state.message}. Reload the page to try again.
        </Alert>
      </Center>
    );
  }
  if (state.session === null) {
    return (
      <SignInPage
        method={state.method}
        isLinkStale={state.isLinkStale}
        onSession={(session) => setState({ ...state, session })}
      />
    );
  }
  return <SessionContext value={state.session}>{children}</SessionContext>;
}
