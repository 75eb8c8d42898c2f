import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CombinedError } from 'urql';
import { confirmAction } from '../../components/confirm-action.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { RowList } from '../../components/row-list.tsx';
import type { ListedSession, SessionList } from '../../session/session.ts';
import { signOutEverywhere } from '../../session/sign-out.ts';
import { SessionRow } from './session-row.tsx';

type State =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: CombinedError }
  | { readonly status: 'loaded'; readonly sessions: readonly ListedSession[] };

/** The browsers in which the operator is signed in. */
export function Sessions({ list }: { readonly list: SessionList }) {
  const [state, setState] = useState<State>({ status: 'loading' });
  const [loads, setLoads] = useState(0);
  const reload = () => setLoads(loads + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loads` repeats the request
  useEffect(() => {
    let isCurrent = true;
    const show = (next: State) => isCurrent && setState(next);
    list.load().then(
      (sessions) => show({ status: 'loaded', sessions }),
      (error: CombinedError) => show({ status: 'failed', error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [list, loads]);

  if (state.status === 'failed') return <LoadFailure error={state.error} onRetry={reload} />;
  if (state.status === 'loading') return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack maw={720} gap="lg">
      <Text c="dimmed" size="sm">
        The browsers in which you are signed in. A session ends 30 days after the sign-in.
      </Text>
      <RowList label="Sessions">
        {state.sessions.map((session) => (
          <SessionRow key={session.id} session={session} list={list} onEnd={reload} />
        ))}
      </RowList>
      <Button variant="light" color="red" w="fit-content" onClick={() => confirmSignOut(list)}>
        Sign out everywhere
      </Button>
    </Stack>
  );
}

function confirmSignOut(list: SessionList): void {
  confirmAction({
    title: 'Sign out everywhere?',
    text: 'All your sessions end at once, this one included. To sign in again you need a new sign-in link.',
    confirm: 'Sign out',
    onConfirm: () => signOutEverywhere(list),
  });
}
