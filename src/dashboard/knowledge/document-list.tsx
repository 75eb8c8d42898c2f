import { Group, Pagination, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useChanges } from '../graphql/use-changes.ts';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { DocumentFilters } from './document-filters.tsx';
import { documentSubscription, documentsQuery } from './document-operations.ts';
import { DocumentRow } from './document-row.tsx';
import { useDocumentFilter } from './use-document-filter.ts';

/** The project's documents, page by page, their states live. */
export function DocumentList() {
  const { id: projectId } = useProject();
  const [filter, setFilter] = useDocumentFilter();
  const { search, status, order, page } = filter;
  const variables = { projectId, search: search || null, status, order, page };
  const { data, error, isLoading, reload } = useFreshQuery(documentsQuery, variables);
  useChanges(documentSubscription, { projectId }, useThrottledCallback(reload, 500));

  const documents = data?.documentPage;
  const lastPage = Math.max(1, documents?.totalPages ?? page);
  useEffect(() => {
    if (!isLoading && page > lastPage) setFilter({ page: lastPage });
  }, [isLoading, page, lastPage, setFilter]);
  const isFiltered = search !== '' || status !== null;
  const isEmpty = documents?.total === 0 && !isFiltered;
  // The button that had the focus goes with its document.
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
        <Text size="sm" c="dimmed" role="status" tabIndex={-1} ref={heading}>
          {documents.total === 1 ? '1 document' : `${documents.total} documents`}
        </Text>
      )}
      {documents?.total === 0 && <NothingFound isFiltered={isFiltered} />}
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
              <Table.Th w={84}>
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
      {lastPage > 1 && (
        <Group justify="center" component="nav" aria-label="Pages of documents">
          <Pagination
            total={lastPage}
            value={page}
            onChange={(page) => setFilter({ page })}
            getControlProps={(control) => ({ 'aria-label': `Go to the ${control} page` })}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
          />
        </Group>
      )}
    </Stack>
  );
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No such document" text="Nothing here has that name and status." />
  ) : (
    <EmptyState
      title="No documents yet"
      text="Upload files or write a document: the assistant answers from what stands in them."
    />
  );
}
