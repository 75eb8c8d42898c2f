import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { OneTimeSecretModal } from '../../components/one-time-secret-modal.tsx';
import { RowList } from '../../components/row-list.tsx';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { WebhookEndpointModal } from './endpoint-modal.tsx';
import { WebhookEndpointRow } from './endpoint-row.tsx';
import {
  createWebhookEndpointMutation,
  endpointsOf,
  webhookEndpointsQuery,
} from './webhook-operations.ts';

export function WebhookEndpoints() {
  const { id: projectId } = useProject();
  const [isCreating, createModal] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useNotifyingMutation(createWebhookEndpointMutation, 'The endpoint was not added');
  const { nodes, error, isLoading, reload } = usePaginatedQuery(
    webhookEndpointsQuery,
    { projectId },
    endpointsOf,
  );
  const showSecret = (text: string) => {
    setSecret(text);
    reload();
  };
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm" maw={560}>
          Webhooks notify your system of events in this project. Requests are signed as the Standard
          Webhooks specification describes.
        </Text>
        <Button onClick={createModal.open}>Add an endpoint</Button>
      </Group>
      {nodes.length === 0 ? (
        <EmptyState
          title="No endpoints yet"
          text="Add the URL of your system. It is notified when an end user asks for an agent, when a document is ready, and more."
        />
      ) : (
        <RowList label="Endpoints">
          {nodes.map((endpoint) => (
            <WebhookEndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              onChange={reload}
              onSecret={showSecret}
            />
          ))}
        </RowList>
      )}
      <WebhookEndpointModal
        opened={isCreating}
        onClose={createModal.close}
        title="Add a webhook endpoint"
        action="Add"
        initial={null}
        saving={create}
        onSave={async ({ url, types }, handleError) => {
          const created = await create.run({ projectId, url, types: [...types] }, handleError);
          if (created !== null) showSecret(created.createWebhookEndpoint.secret);
          return created !== null;
        }}
      />
      <OneTimeSecretModal
        title="The signing secret"
        secret={secret}
        onClose={() => setSecret(null)}
      >
        <Text size="sm">
          Verify the webhook-signature header of each request with this secret, for example with the
          standardwebhooks library.
        </Text>
      </OneTimeSecretModal>
    </Stack>
  );
}
