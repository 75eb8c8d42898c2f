import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { RowList } from '../shell/row-list.tsx';
import { SecretOnce } from '../shell/secret-once.tsx';
import { useAction } from '../shell/use-action.ts';
import { EndpointModal } from './endpoint-modal.tsx';
import { EndpointRow } from './endpoint-row.tsx';
import { createEndpointMutation, endpointsOf, endpointsQuery } from './webhook-operations.ts';

/** Where events of the project are sent, signed. */
export function WebhookEndpoints() {
  const { id: projectId } = useProject();
  const [isMaking, making] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useAction(createEndpointMutation, 'The endpoint was not added');
  const { nodes, error, isLoading, reload } = useConnection(
    endpointsQuery,
    { projectId },
    endpointsOf,
  );
  const show = (text: string) => {
    setSecret(text);
    reload();
  };
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={560}>
          Your system is told of what happens in this project by signed messages, as Standard
          Webhooks describes them.
        </Text>
        <Button onClick={making.open}>Add an endpoint</Button>
      </Group>
      {nodes.length === 0 ? (
        <EmptyState
          title="No endpoints yet"
          text="Add the address of your system to hear when somebody asks for a person, when a document is ready, and more."
        />
      ) : (
        <RowList label="Endpoints">
          {nodes.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} onChange={reload} onSecret={show} />
          ))}
        </RowList>
      )}
      <EndpointModal
        opened={isMaking}
        onClose={making.close}
        title="Add a webhook endpoint"
        action="Add"
        initial={null}
        isRunning={create.isRunning}
        onSave={async ({ url, types }, tell) => {
          const made = await create.run({ projectId, url, types: [...types] }, tell);
          if (made !== null) show(made.createWebhookEndpoint.secret);
          return made !== null;
        }}
      />
      <SecretOnce title="The signing secret" secret={secret} onClose={() => setSecret(null)}>
        <Text size="sm">
          Your system checks with it that a message is ours: the header webhook-signature, by the
          library standardwebhooks.
        </Text>
      </SecretOnce>
    </Stack>
  );
}
