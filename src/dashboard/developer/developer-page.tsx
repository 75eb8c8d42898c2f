import { Anchor, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { EmptyState } from '../components/empty-state.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { PageTabs } from '../shell/page-tabs.tsx';
import { ApiKeys } from './api-keys/api-keys.tsx';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.tsx';
import { WebhookEndpoints } from './webhooks/webhook-endpoints.tsx';

/** API keys and webhooks of the project, with links to the API documentation. */
export function DeveloperPage() {
  const { canManage } = usePermissions();
  return (
    <Page
      title="Developer"
      actions={
        <Group gap="md">
          <DocumentationLink href="/api/v1/docs" text="REST documentation" />
          {hasGraphiql() && <DocumentationLink href="/graphql" text="GraphiQL" />}
        </Group>
      }
    >
      {canManage ? (
        <PageTabs
          section="developer"
          tabs={[
            { path: 'keys', label: 'API keys', content: <ApiKeys /> },
            { path: 'webhooks', label: 'Webhooks', content: <WebhookEndpoints /> },
            { path: 'deliveries', label: 'Deliveries', content: <WebhookDeliveries /> },
          ]}
        />
      ) : (
        <EmptyState
          title="For owners and admins"
          text="Owners and admins manage keys and webhooks. The links above lead to the API documentation."
        />
      )}
    </Page>
  );
}

/** Returns whether the service serves GraphiQL. The service writes this setting into the page. */
function hasGraphiql(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="graphiql"]')?.content !== 'off';
}

function DocumentationLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {text} <IconExternalLink size={14} aria-hidden />
      <span className="visually-hidden">, in a new tab</span>
    </Anchor>
  );
}
