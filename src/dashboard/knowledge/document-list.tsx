import { Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { PageNumbers } from '../components/page-numbers.tsx';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { useChangeSubscription } from '../subscriptions/use-change-subscription.ts';
import { DocumentFilters } from './document-filters.tsx';
import { documentsQuery, documentUpdatedSubscription } from './document-operations.ts';
import { DocumentRow } from './document-row.tsx';
import { RetryFailedButton } from './retry-failed-button.tsx';
import { useDocumentFilter } from './use-document-filter.ts';

/** The project's documents with pagination and live statuses. */
export function DocumentList() {
  const { id: projectId } = useProject();
  const [filter, setFilter] = useDocumentFilter();
  const { search, status, order, page } = filter;
  const variables = { projectId, search: search || null, status, order, page };
  const { data, error, isLoading, reload } = useFreshQuery(documentsQuery, variables);
  useChangeSubscription(
    documentUpdatedSubscription,
    { projectId },
    useThrottledCallback(reload, 500),
  );

  const documents = data?.documentPage;
  const lastPage = Math.max(1, documents?.totalPages ?? page);
  useEffect(() => {
    if (!isLoading && page > lastPage) setFilter({ page: lastPage });
  }, [isLoading, page, lastPage, setFilter]);
  const isFiltered = search !== '' || status !== null;
  const isEmpty = documents?.total === 0 && !isFiltered;
  // Receives the focus when a row is deleted, because the button that had the focus was in that row.
  const heading = useRef<HTMLParagraphElement>(null);
  const onDeleted = () => {
    reload();
    heading.current?.focus();
  };

  return (
    <Stack gap="sm">
      {!isEmpty && <DocumentFilters filter={filter} onChange={setFilter} />}
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {documents === undefined && error === undefined && <Skeleton h={240} aria-label="Loading" />}
      {documents !== undefined && !isEmpty && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status" tabIndex={-1} ref={heading}>
            {documents.total === 1 ? '1 document' : `${documents.total} documents`}
          </Text>
          <RetryFailedButton failedCount={data?.failed.total ?? 0} onRetried={reload} />
        </Group>
      )}
      {documents?.total === 0 && <NoDocuments isFiltered={isFiltered} />}
      {documents !== undefined && documents.data.length > 0 && (
        <Table highlightOnHover verticalSpacing="xs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th w={136}>Status</Table.Th>
              <Table.Th w={96} ta="right" visibleFrom="sm">
                Size
              </Table.Th>
              <Table.Th w={88} ta="right" visibleFrom="md">
                Chunks
              </Table.Th>
              <Table.Th w={152} visibleFrom="md">
                Added
              </Table.Th>
              <Table.Th w={112}>
                <span className="visually-hidden">Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {documents.data.map((document) => (
              <DocumentRow
                key={document.id}
                document={document}
                onRetried={reload}
                onDeleted={onDeleted}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <PageNumbers
        label="Pages of documents"
        page={page}
        totalPages={lastPage}
        onChange={(page) => setFilter({ page })}
      />
    </Stack>
  );
}

function NoDocuments({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matching documents" text="Change the search or the status filter." />
  ) : (
    <EmptyState
      title="No documents yet"
      text="Upload files or write a document. The assistant answers from your documents."
    />
  );
}
