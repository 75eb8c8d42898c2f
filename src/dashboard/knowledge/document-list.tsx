import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Group,
  Skeleton,
  Table,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useDebouncedValue, useThrottledCallback } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconRefresh, IconSearch, IconTrash } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { Link } from 'wouter';
import { useChanges } from '../graphql/use-changes.ts';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure, notifySuccess } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { saySize } from '../shell/say-size.ts';
import { Time } from '../shell/time.tsx';
import { useAction } from '../shell/use-action.ts';
import {
  deleteMutation,
  documentSubscription,
  documentsQuery,
  retryMutation,
} from './document-operations.ts';

const documentsOf = ({ documents }: ResultOf<typeof documentsQuery>) => documents;
type Document = ReturnType<typeof documentsOf>['edges'][number]['node'];

/** The newest first, their states live. */
export function DocumentList() {
  const { id: projectId } = useProject();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    documentsQuery,
    { projectId, search: wanted || null },
    documentsOf,
  );
  useChanges(documentSubscription, { projectId }, useThrottledCallback(reload, 500));

  return (
    <>
      <TextInput
        aria-label="Search in names"
        placeholder="Search in names"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={320}
      />
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={240} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <EmptyState
          title={wanted === '' ? 'No documents yet' : 'No such document'}
          text={
            wanted === ''
              ? 'Upload a file or write a document: the assistant answers from what stands in them.'
              : 'No name contains what you typed.'
          }
        />
      )}
      {nodes.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table highlightOnHover verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th ta="right">Size</Table.Th>
                <Table.Th ta="right">Chunks</Table.Th>
                <Table.Th>Added</Table.Th>
                <Table.Th>
                  <span className="visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {nodes.map((document) => (
                <DocumentRow key={document.id} document={document} onChange={reload} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </>
  );
}

const colors = { PROCESSING: 'yellow', READY: 'green', FAILED: 'red' } as const;

function DocumentRow({
  document,
  onChange,
}: {
  readonly document: Document;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const { id, name, status, error } = document;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={`/${projectId}/knowledge/${id}`} lineClamp={1}>
          {name}
        </Anchor>
        {error !== null && (
          <Text size="xs" c="red">
            {error.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={colors[status]}>
          {status}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">{saySize(document.sizeBytes)}</Table.Td>
      <Table.Td ta="right">{document.chunkCount}</Table.Td>
      <Table.Td>
        <Time at={document.createdAt} size="sm" />
      </Table.Td>
      <Table.Td>
        {canWriteKnowledge && <RowActions document={document} onChange={onChange} />}
      </Table.Td>
    </Table.Tr>
  );
}

function RowActions({
  document: { id, name, status },
  onChange,
}: {
  readonly document: Document;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const retry = useAction(retryMutation, 'The document was not retried');
  const remove = useAction(deleteMutation, 'The document was not deleted');
  const askToDelete = () =>
    modals.openConfirmModal({
      title: 'Delete this document?',
      children: (
        <Text size="sm">
          {name} and everything the assistant knows from it will be gone. This cannot be undone.
        </Text>
      ),
      labels: { confirm: 'Delete', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        if ((await remove.run({ projectId, id })) === null) return;
        notifySuccess(`${name} was deleted`);
        onChange();
      },
    });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {status === 'FAILED' && (
        <Tooltip label="Try again">
          <ActionIcon
            variant="subtle"
            aria-label={`Try ${name} again`}
            loading={retry.isRunning}
            onClick={async () => {
              if ((await retry.run({ projectId, id })) !== null) onChange();
            }}
          >
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Delete">
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`Delete ${name}`}
          loading={remove.isRunning}
          onClick={askToDelete}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
