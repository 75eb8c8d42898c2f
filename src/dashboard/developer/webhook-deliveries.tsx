import { Accordion, Badge, Button, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure, notifySuccess } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';
import { useAction } from '../shell/use-action.ts';
import { deliveriesQuery, redeliverMutation } from './webhook-operations.ts';

const deliveriesOf = (data: ResultOf<typeof deliveriesQuery>) => data.webhookDeliveries;
type Delivery = ReturnType<typeof deliveriesOf>['edges'][number]['node'];
const colors = { PENDING: 'yellow', DELIVERED: 'green', FAILED: 'red' } as const;

/** What was sent, the latest first, with the log of its tries. */
export function WebhookDeliveries() {
  const { id: projectId } = useProject();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    deliveriesQuery,
    { projectId, status: null },
    deliveriesOf,
  );
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  if (nodes.length === 0) {
    return (
      <EmptyState
        title="Nothing was sent yet"
        text="Each event that is sent to an endpoint appears here."
      />
    );
  }
  return (
    <Stack>
      <Button variant="default" onClick={reload} w="fit-content">
        Look again
      </Button>
      <Accordion variant="contained">
        {nodes.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} onChange={reload} />
        ))}
      </Accordion>
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </Stack>
  );
}

function DeliveryItem({
  delivery,
  onChange,
}: {
  readonly delivery: Delivery;
  readonly onChange: () => void;
}) {
  const redeliver = useAction(redeliverMutation, 'It was not sent again');
  const { id, eventType, status, attempts, lastResponseStatus, nextAttemptAt, createdAt, log } =
    delivery;
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="sm">
          <Badge variant="light" color={colors[status]}>
            {status}
          </Badge>
          <Text size="sm" fw={600}>
            {eventType}
          </Text>
          <Text size="sm" c="dimmed">
            {attempts} {attempts === 1 ? 'try' : 'tries'}
            {lastResponseStatus !== null && `, last answer ${lastResponseStatus}`}
          </Text>
          <Time at={createdAt} size="sm" c="dimmed" />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {nextAttemptAt !== null && (
            <Text size="sm">
              Next try: <Time at={nextAttemptAt} size="sm" span />
            </Text>
          )}
          {log.length > 0 && (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Try</Table.Th>
                  <Table.Th>Sent</Table.Th>
                  <Table.Th>Answer</Table.Th>
                  <Table.Th ta="right">Took</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {log.map((attempt) => (
                  <Table.Tr key={attempt.number}>
                    <Table.Td>{attempt.number}</Table.Td>
                    <Table.Td>
                      <Time at={attempt.sentAt} size="sm" />
                    </Table.Td>
                    <Table.Td>
                      {attempt.responseStatus ?? attempt.error}
                      {attempt.responseExcerpt && <Code block>{attempt.responseExcerpt}</Code>}
                    </Table.Td>
                    <Table.Td ta="right">{attempt.latencyMs} ms</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
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
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
