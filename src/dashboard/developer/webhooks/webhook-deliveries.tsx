import { Accordion, Button, Group, Select, Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { ShowMoreButton } from '../../components/show-more-button.tsx';
import { usePaginatedQuery } from '../../graphql/use-paginated-query.ts';
import { useProject } from '../../project/project.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import { allEventTypes } from './webhook-event-types.ts';
import {
  deliveriesOf,
  endpointsOf,
  type WebhookDelivery,
  webhookDeliveriesQuery,
  webhookEndpointsQuery,
} from './webhook-operations.ts';

const statuses = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
] satisfies { value: WebhookDelivery['status']; label: string }[];

const pollIntervalMs = 5_000;

/** The webhook deliveries, latest first, each with the log of its attempts. */
export function WebhookDeliveries() {
  const { id: projectId } = useProject();
  const [search, setSearch] = useSearchParams();
  const [status, setStatus] = useState<WebhookDelivery['status'] | null>(null);
  const [eventType, setEventType] = useState<string | null>(null);
  const endpointId = search.get('endpoint');
  const { nodes: endpoints } = usePaginatedQuery(webhookEndpointsQuery, { projectId }, endpointsOf);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    webhookDeliveriesQuery,
    { projectId, endpointId, status, eventType },
    deliveriesOf,
  );
  // Poll only if no page after the first is loaded. Otherwise a reload could move older rows while the operator reads
  // them.
  const isFirstPage = nodes.length <= 25;
  useEffect(() => {
    if (!isFirstPage) return;
    const timer = setInterval(() => !document.hidden && reload(), pollIntervalMs);
    return () => clearInterval(timer);
  }, [isFirstPage, reload]);

  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return (
    <Stack>
      <Group align="flex-end">
        <Select
          label="Endpoint"
          placeholder="All endpoints"
          clearable
          flex="1 1 14rem"
          maw={420}
          data={endpoints.map(({ id: value, url: label }) => ({ value, label }))}
          value={endpointId}
          onChange={(chosen) => setSearch(chosen === null ? {} : { endpoint: chosen })}
        />
        <Select
          label="Status"
          placeholder="All statuses"
          clearable
          w={200}
          data={statuses}
          value={status}
          onChange={setStatus}
        />
        <Select
          label="Event"
          placeholder="All events"
          clearable
          w={200}
          data={[...allEventTypes, 'webhook.test']}
          value={eventType}
          onChange={setEventType}
        />
        <Button variant="default" onClick={reload}>
          Refresh
        </Button>
      </Group>
      {error !== undefined ? (
        <LoadFailure error={error} onRetry={reload} />
      ) : isLoading ? (
        <Skeleton h={240} aria-label="Loading" />
      ) : nodes.length === 0 ? (
        <NoDeliveries isFiltered={endpointId !== null || status !== null || eventType !== null} />
      ) : (
        <Accordion variant="contained">
          {nodes.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              url={urls.get(delivery.endpointId) ?? null}
              onChange={reload}
            />
          ))}
        </Accordion>
      )}
      {hasMore && <ShowMoreButton onClick={loadMore} />}
    </Stack>
  );
}

function NoDeliveries({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matching deliveries" text="Choose another endpoint, status or event." />
  ) : (
    <EmptyState
      title="No deliveries yet"
      text="Each event that is sent to an endpoint appears here. Send a test event to see one."
    />
  );
}
