import { Alert, Loader, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useConnection } from '../graphql/use-connection.ts';
import { useProject } from '../shell/project.tsx';
import { sayDuration } from '../shell/say-duration.ts';
import { Time } from '../shell/time.tsx';
import { type Delivery, deliveriesOf, deliveriesQuery } from './webhook-operations.ts';

const lookAgainMs = 1_000;

/** What becomes of a test event, as it happens. */
export function TestOutcome({
  endpointId,
  deliveryId,
}: {
  readonly endpointId: string;
  readonly deliveryId: string;
}) {
  const { id: projectId } = useProject();
  const { nodes, reload } = useConnection(
    deliveriesQuery,
    { projectId, endpointId, status: null },
    deliveriesOf,
  );
  const delivery = nodes.find(({ id }) => id === deliveryId);
  const isTried = delivery !== undefined && delivery.attempts > 0;
  useEffect(() => {
    if (isTried) return;
    const timer = setInterval(reload, lookAgainMs);
    return () => clearInterval(timer);
  }, [isTried, reload]);
  return (
    <div role="status">
      {isTried ? (
        <Outcome delivery={delivery} />
      ) : (
        <Text size="sm" mt="xs">
          <Loader size={12} mr={6} aria-hidden /> Sending the test event…
        </Text>
      )}
    </div>
  );
}

function Outcome({ delivery: { status, nextAttemptAt, log } }: { readonly delivery: Delivery }) {
  const [last] = log;
  const isDelivered = status === 'DELIVERED';
  return (
    <Alert
      mt="xs"
      p="xs"
      color={isDelivered ? 'green' : 'red'}
      title={isDelivered ? 'The test event has arrived' : 'The test event has not arrived'}
    >
      {isDelivered
        ? `It was answered with ${last?.responseStatus} after ${sayDuration(last?.latencyMs ?? 0)}.`
        : `${last?.error ?? 'There was no answer'}.`}
      {nextAttemptAt !== null && (
        <>
          {' '}
          It is tried again: <Time at={nextAttemptAt} size="sm" span />.
        </>
      )}
    </Alert>
  );
}
