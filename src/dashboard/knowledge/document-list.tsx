import { Checkbox, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { PageNumbers } from '../components/page-numbers.tsx';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { useChangeSubscription } from '../subscriptions/use-change-subscription.ts';
import { DocumentFilters } from './document-filters.tsx';
import {
  documentsQuery,
  documentUpdatedSubscription,
  sourceNamesQuery,
} from './document-operations.ts';
import { DocumentRow } from './document-row.tsx';
import { RetryFailedButton } from './retry-failed-button.tsx';
import { type DocumentSelection, useDocumentSelection } from './selection/document-selection.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { filterVariables, isFiltering, useDocumentFilter } from './use-document-filter.ts';

/** The project's documents with filters, pagination, live statuses, and actions for many of them. */
export function DocumentList() {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const [filter, setFilter] = useDocumentFilter();
  const { page } = filter;
  const variables = { projectId, ...filterVariables(filter) };
  const { data, error, isLoading, reload } = useFreshQuery(documentsQuery, variables);
  const sources = useFreshQuery(sourceNamesQuery, { projectId }).data?.sourcePage.data ?? [];
  useChangeSubscription(
    documentUpdatedSubscription,
    { projectId },
    useThrottledCallback(reload, 500),
  );

  const documents = data?.documentPage;
  const selection = useDocumentSelection(documents?.data ?? []);
  const lastPage = Math.max(1, documents?.totalPages ?? page);
  useEffect(() => {
    if (!isLoading && page > lastPage) setFilter({ page: lastPage });
  }, [isLoading, page, lastPage, setFilter]);
  const isFiltered = isFiltering(filter);
  const isEmpty = documents?.total === 0 && !isFiltered;
  // Receives the focus when rows are deleted, because the button that had the focus may be removed.
  const heading = useRef<HTMLParagraphElement>(null);
  const onDeleted = () => {
    reload();
    heading.current?.focus();
  };

  return (
    <Stack gap="sm">
      {!isEmpty && <DocumentFilters filter={filter} sources={sources} onChange={setFilter} />}
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
      {canWriteKnowledge && !isEmpty && (
        <SelectionBar selection={selection} onChanged={reload} onDeleted={onDeleted} />
      )}
      {documents?.total === 0 && <NoDocuments isFiltered={isFiltered} />}
      {documents !== undefined && documents.data.length > 0 && (
        <Table highlightOnHover verticalSpacing="xs" layout="fixed">
          <ColumnTitles selection={canWriteKnowledge ? selection : null} />
          <Table.Tbody>
            {documents.data.map((document) => (
              <DocumentRow
                key={document.id}
                document={document}
                source={sources.find(({ id }) => id === document.sourceId) ?? null}
                selection={canWriteKnowledge ? selection : null}
                onFilter={setFilter}
                onChanged={reload}
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

function ColumnTitles({ selection }: { readonly selection: DocumentSelection | null }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {selection !== null && (
          <Table.Th w={40}>
            <Checkbox
              aria-label="Select all shown documents"
              checked={selection.isAll}
              indeterminate={selection.documents.length > 0 && !selection.isAll}
              onChange={selection.toggleAll}
            />
          </Table.Th>
        )}
        <Table.Th>Name</Table.Th>
        <Table.Th w={140} visibleFrom="lg">
          Source
        </Table.Th>
        <Table.Th w={92} visibleFrom="md">
          Type
        </Table.Th>
        <Table.Th w={108} visibleFrom="lg">
          Language
        </Table.Th>
        <Table.Th w={128} visibleFrom="sm">
          Status
        </Table.Th>
        <Table.Th w={84} ta="right" visibleFrom="sm">
          Size
        </Table.Th>
        <Table.Th w={84} ta="right" visibleFrom="xl">
          Chunks
        </Table.Th>
        <Table.Th w={128} visibleFrom="md">
          Added
        </Table.Th>
        <Table.Th w={112}>
          <span className="visually-hidden">Actions</span>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

function NoDocuments({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matching documents" text="Change the search or the filters." />
  ) : (
    <EmptyState
      title="No documents yet"
      text="Upload files or write a document. The assistant answers from your documents."
    />
  );
}
