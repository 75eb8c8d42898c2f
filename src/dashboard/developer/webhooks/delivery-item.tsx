import { Accordion, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { errorMessagesOf, notifySuccess } from '../../components/error-messages.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatDuration } from '../../format/format-duration.ts';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import {
  deliveryBodyQuery,
  redeliverWebhookMutation,
  type WebhookDelivery,
} from './webhook-operations.ts';

const statusColors = { PENDING: 'yellow', DELIVERED: 'green', FAILED: 'red' } as const;
const statusLabels = { PENDING: 'pending', DELIVERED: 'delivered', FAILED: 'failed' } as const;

export function DeliveryItem({
  delivery,
  url,
  onChange,
}: {
  readonly delivery: WebhookDelivery;
  /** URL of the endpoint. Null until the endpoints are loaded. */
  readonly url: string | null;
  readonly onChange: () => void;
}) {
  const redeliver = useNotifyingMutation(redeliverWebhookMutation, 'The event was not sent again');
  const { id, eventId, eventType, status, attempts, nextAttemptAt, createdAt, log } = delivery;
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="sm">
          <Badge variant="light" color={statusColors[status]}>
            {statusLabels[status]}
          </Badge>
          <Text size="sm" fw={600}>
            {eventType}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <Text size="sm" c="dimmed">
            {formatAttempts(delivery)}
          </Text>
          <RelativeTime at={createdAt} size="sm" c="dimmed" />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            webhook-id <Code>{eventId}</Code>
          </Text>
          {status === 'PENDING' && (
            <Text size="sm">
              {nextAttemptAt === null ? (
                'Sending now.'
              ) : (
                <>
                  Next attempt: <RelativeTime at={nextAttemptAt} size="sm" span />
                </>
              )}
            </Text>
          )}
          <Stack gap="xs" component="ol" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {log.map((attempt) => (
              <li key={attempt.number}>
                <Text size="sm">
                  Attempt {attempt.number}, <RelativeTime at={attempt.sentAt} size="sm" span />:{' '}
                  {attempt.responseStatus === null
                    ? attempt.error
                    : `status ${attempt.responseStatus}`}
                  , after {formatDuration(attempt.latencyMs)}
                </Text>
                {attempt.responseExcerpt && (
                  <Code block mah={160} className="copy-text" style={{ overflowY: 'auto' }}>
                    {attempt.responseExcerpt}
                  </Code>
                )}
              </li>
            ))}
          </Stack>
          <SentBody deliveryId={id} />
          {attempts > 0 && (
            <Button
              size="xs"
              variant="default"
              w="fit-content"
              loading={redeliver.isRunning}
              onClick={async () => {
                if ((await redeliver.run({ deliveryId: id })) === null) return;
                notifySuccess('The event is being sent again');
                onChange();
              }}
            >
              Send again
            </Button>
          )}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** The body of the request, loaded when it is opened. */
function SentBody({ deliveryId }: { readonly deliveryId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [{ data, error, fetching }] = useQuery({
    query: deliveryBodyQuery,
    variables: { id: deliveryId },
    pause: !isOpen,
  });
  const body = data?.node && 'body' in data.node ? data.node.body : null;
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        w="fit-content"
        aria-expanded={isOpen}
        loading={fetching}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide what is sent' : 'Show what is sent'}
      </Button>
      {isOpen && error !== undefined && <Text size="sm">{errorMessagesOf(error).join(' ')}</Text>}
      {isOpen && body !== null && (
        <Code
          block
          mah={320}
          className="copy-text"
          style={{ overflowY: 'auto' }}
          // Keyboard users must be able to scroll it.
          tabIndex={0}
          aria-label="Body of the request"
          role="region"
        >
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      )}
    </>
  );
}

function formatAttempts({ attempts, lastResponseStatus, lastLatencyMs }: WebhookDelivery): string {
  if (attempts === 0 || lastLatencyMs === null) return 'not sent yet';
  const attemptCount = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const result = lastResponseStatus === null ? 'no response' : `status ${lastResponseStatus}`;
  return `${attemptCount}, ${result} after ${formatDuration(lastLatencyMs)}`;
}
