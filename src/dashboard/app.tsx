import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { Provider as GraphqlProvider } from 'urql';
import { Router } from 'wouter';
import { createGraphqlClient } from './graphql/client.ts';
import { SessionGate, useSession } from './session/session-gate.tsx';
import { OperatorGate } from './shell/operator.tsx';
import { Pages } from './shell/pages.tsx';
import { readableColors, theme } from './shell/theme.ts';
import { askWhileUnsaved } from './shell/unsaved-changes.tsx';

/** `styleNonce`: what the page's Content-Security-Policy asks of style elements. */
export function App({ styleNonce }: { readonly styleNonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
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
        <Router base="/dashboard" aroundNav={askWhileUnsaved}>
          <Pages />
        </Router>
      </OperatorGate>
    </GraphqlProvider>
  );
}
