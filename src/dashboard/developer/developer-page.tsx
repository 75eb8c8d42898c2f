import { Anchor, Group, Tabs } from '@mantine/core';
import { EmptyState } from '../shell/empty-state.tsx';
import { Page } from '../shell/page.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { ApiKeys } from './api-keys.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookEndpoints } from './webhook-endpoints.tsx';

/** Keys and webhooks of the project, and where the interfaces are described. */
export function DeveloperPage() {
  const { canManage } = usePermissions();
  return (
    <Page
      title="Developer"
      actions={
        <Group gap="md">
          <Anchor href="/api/v1/docs" target="_blank" rel="noreferrer">
            REST documentation
          </Anchor>
          <Anchor href="/graphql" target="_blank" rel="noreferrer">
            GraphiQL
          </Anchor>
        </Group>
      }
    >
      {canManage ? (
        <Tabs defaultValue="keys" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="keys">API keys</Tabs.Tab>
            <Tabs.Tab value="endpoints">Webhooks</Tabs.Tab>
            <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="keys">
            <ApiKeys />
          </Tabs.Panel>
          <Tabs.Panel value="endpoints">
            <WebhookEndpoints />
          </Tabs.Panel>
          <Tabs.Panel value="deliveries">
            <WebhookDeliveries />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <EmptyState
          title="For owners and admins"
          text="They make keys and webhooks. The interfaces are described under the links above."
        />
      )}
    </Page>
  );
}
