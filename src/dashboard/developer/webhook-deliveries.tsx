import { Accordion, Button, Group, Select, Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import {
  type Delivery,
  deliveriesOf,
  deliveriesQuery,
  endpointsOf,
  endpointsQuery,
} from './webhook-operations.ts';

const statuses = [
  { value: 'PENDING', label: 'To be tried again' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
] satisfies { value: Delivery['status']; label: string }[];

const lookAgainMs = 5_000;

/** What was sent, the latest first, with the log of its tries. */
export function WebhookDeliveries() {
  const { id: projectId } = useProject();
  const [search, setSearch] = useSearchParams();
  const [status, setStatus] = useState<Delivery['status'] | null>(null);
  const endpointId = search.get('endpoint');
  const { nodes: endpoints } = useConnection(endpointsQuery, { projectId }, endpointsOf);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    deliveriesQuery,
    { projectId, endpointId, status },
    deliveriesOf,
  );
  // Only the first page: a reload would take the others away from whoever reads them.
  const isFirstPage = nodes.length <= 25;
  useEffect(() => {
    if (!isFirstPage) return;
    const timer = setInterval(() => !document.hidden && reload(), lookAgainMs);
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
          label="State"
          placeholder="All states"
          clearable
          w={200}
          data={statuses}
          value={status}
          onChange={setStatus}
        />
        <Button variant="default" onClick={reload}>
          Look again
        </Button>
      </Group>
      {error !== undefined ? (
        <LoadFailure error={error} onRetry={reload} />
      ) : isLoading ? (
        <Skeleton h={240} aria-label="Loading" />
      ) : nodes.length === 0 ? (
        <Nothing isFiltered={endpointId !== null || status !== null} />
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
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </Stack>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="Nothing like that was sent" text="Choose another endpoint or state." />
  ) : (
    <EmptyState
      title="Nothing was sent yet"
      text="Each event that is sent to an endpoint appears here. Send a test event to see one."
    />
  );
}
