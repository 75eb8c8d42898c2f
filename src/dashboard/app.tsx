import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { Provider as GraphqlProvider } from 'urql';
import { Router } from 'wouter';
import { confirmNavigation } from './components/unsaved-changes.tsx';
import { createGraphqlClient } from './graphql/client.ts';
import { PageRoutes } from './page-routes.tsx';
import { OperatorGate } from './project/operator.tsx';
import { SessionGate, useSession } from './session/session-gate.tsx';
import { accessibleColors, theme } from './shell/theme.ts';

/** @param styleNonce The nonce that the page's Content-Security-Policy requires on style elements. */
export function App({ styleNonce }: { readonly styleNonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={accessibleColors}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <Notifications position="bottom-right" />
      <ModalsProvider>
        <SessionGate>
          <SignedIn />
        </SessionGate>
      </ModalsProvider>
    </MantineProvider>
  );
}

function SignedIn() {
  const session = useSession();
  const client = useMemo(() => createGraphqlClient(session), [session]);
  return (
    <GraphqlProvider value={client}>
      <OperatorGate>
        <Router base="/dashboard" aroundNav={confirmNavigation}>
          <PageRoutes />
        </Router>
      </OperatorGate>
    </GraphqlProvider>
  );
}
