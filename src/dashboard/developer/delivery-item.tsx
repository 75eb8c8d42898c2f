import { Accordion, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifySuccess } from '../shell/failure.tsx';
import { sayDuration } from '../shell/say-duration.ts';
import { Time } from '../shell/time.tsx';
import { useAction } from '../shell/use-action.ts';
import { type Delivery, redeliverMutation } from './webhook-operations.ts';

const colors = { PENDING: 'yellow', DELIVERED: 'green', FAILED: 'red' } as const;
const names = { PENDING: 'pending', DELIVERED: 'delivered', FAILED: 'failed' } as const;

export function DeliveryItem({
  delivery,
  url,
  onChange,
}: {
  readonly delivery: Delivery;
  /** Null while it is not known. */
  readonly url: string | null;
  readonly onChange: () => void;
}) {
  const redeliver = useAction(redeliverMutation, 'It was not sent again');
  const { id, eventId, eventType, status, attempts, nextAttemptAt, createdAt, log } = delivery;
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="sm">
          <Badge variant="light" color={colors[status]}>
            {names[status]}
          </Badge>
          <Text size="sm" fw={600}>
            {eventType}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <Text size="sm" c="dimmed">
            {sayTries(delivery)}
          </Text>
          <Time at={createdAt} size="sm" c="dimmed" />
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
                'It is on its way.'
              ) : (
                <>
                  Next try: <Time at={nextAttemptAt} size="sm" span />
                </>
              )}
            </Text>
          )}
          <Stack gap="xs" component="ol" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {log.map((attempt) => (
              <li key={attempt.number}>
                <Text size="sm">
                  Try {attempt.number}, <Time at={attempt.sentAt} size="sm" span />:{' '}
                  {attempt.responseStatus === null
                    ? attempt.error
                    : `answer ${attempt.responseStatus}`}
                  , after {sayDuration(attempt.latencyMs)}
                </Text>
                {attempt.responseExcerpt && (
                  <Code block mah={160} className="copy-text" style={{ overflowY: 'auto' }}>
                    {attempt.responseExcerpt}
                  </Code>
                )}
              </li>
            ))}
          </Stack>
          {attempts > 0 && (
            <Button
              size="xs"
              variant="default"
              w="fit-content"
              loading={redeliver.isRunning}
              onClick={async () => {
                if ((await redeliver.run({ deliveryId: id })) === null) return;
                notifySuccess('It is being sent again');
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

function sayTries({ attempts, lastResponseStatus, lastLatencyMs }: Delivery): string {
  if (attempts === 0 || lastLatencyMs === null) return 'not tried yet';
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  const answer = lastResponseStatus === null ? 'no answer' : `answer ${lastResponseStatus}`;
  return `${tries}, ${answer} after ${sayDuration(lastLatencyMs)}`;
}
