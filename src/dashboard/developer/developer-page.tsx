import { Anchor, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { EmptyState } from '../shell/empty-state.tsx';
import { Page } from '../shell/page.tsx';
import { PageTabs } from '../shell/page-tabs.tsx';
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
          text="They make keys and webhooks. The interfaces are described under the links above."
        />
      )}
    </Page>
  );
}

/** As the page that the service sent says. */
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
