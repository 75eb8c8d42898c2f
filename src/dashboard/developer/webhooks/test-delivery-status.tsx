import { Alert, Loader, Text } from '@mantine/core';
import { useEffect } from 'react';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatDuration } from '../../format/format-duration.ts';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import {
  deliveriesOf,
  type WebhookDelivery,
  webhookDeliveriesQuery,
} from './webhook-operations.ts';

const pollIntervalMs = 1_000;

/** Shows the result of the first attempt to deliver a test event. Polls until the result is available. */
export function TestDeliveryStatus({
  endpointId,
  deliveryId,
}: {
  readonly endpointId: string;
  readonly deliveryId: string;
}) {
  const { id: projectId } = useProject();
  const { nodes, reload } = usePaginatedQuery(
    webhookDeliveriesQuery,
    { projectId, endpointId, status: null, eventType: null },
    deliveriesOf,
  );
  const delivery = nodes.find(({ id }) => id === deliveryId);
  const isAttempted = delivery !== undefined && delivery.attempts > 0;
  useEffect(() => {
    if (isAttempted) return;
    const timer = setInterval(reload, pollIntervalMs);
    return () => clearInterval(timer);
  }, [isAttempted, reload]);
  return (
    <div role="status">
      {isAttempted ? (
        <TestDeliveryResult delivery={delivery} />
      ) : (
        <Text size="sm" mt="xs">
          <Loader size={12} mr={6} aria-hidden /> Sending the test event…
        </Text>
      )}
    </div>
  );
}

function TestDeliveryResult({
  delivery: { status, nextAttemptAt, log },
}: {
  readonly delivery: WebhookDelivery;
}) {
  const [last] = log;
  const isDelivered = status === 'DELIVERED';
  return (
    <Alert
      mt="xs"
      p="xs"
      color={isDelivered ? 'green' : 'red'}
      title={isDelivered ? 'The test event was delivered' : 'The test event was not delivered'}
    >
      {isDelivered
        ? `The endpoint returned status ${last?.responseStatus} after ${formatDuration(last?.latencyMs ?? 0)}.`
        : `${last?.error ?? 'The endpoint did not respond'}.`}
      {nextAttemptAt !== null && (
        <>
          {' '}
          Next attempt: <RelativeTime at={nextAttemptAt} size="sm" span />.
        </>
      )}
    </Alert>
  );
}
