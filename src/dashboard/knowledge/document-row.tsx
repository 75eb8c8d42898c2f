import { ActionIcon, Anchor, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconBook2, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatBytes } from '../format/format-bytes.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import type { documentFields } from './document-operations.ts';
import { DocumentStatus } from './document-status.tsx';
import { readerPathOf } from './reader/reader-path.ts';
import { useDocumentActions } from './use-document-actions.ts';

interface RowProps {
  readonly document: ResultOf<typeof documentFields>;
  readonly onRetried: () => void;
  readonly onDeleted: () => void;
}

/** A table row. Narrow screens show size and time below the name. */
export function DocumentRow({ document, ...callbacks }: RowProps) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const { id, name, status, error, warnings, waitingReason, sizeBytes, chunkCount, createdAt } =
    document;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          href={`/${projectId}/knowledge/${id}`}
          title={name}
          style={{ display: 'block' }}
          truncate
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {formatBytes(sizeBytes)} · <RelativeTime at={createdAt} size="xs" span />
        </Text>
        {error !== null && (
          <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
            {error.message}
          </Text>
        )}
        {warnings.length > 0 && (
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {warnings.map(({ message }) => message).join(' ')}
          </Text>
        )}
        {waitingReason !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Waits for the embedding model: {waitingReason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <DocumentStatus status={status} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {formatBytes(sizeBytes)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {status === 'READY' ? chunkCount : '–'}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <RelativeTime at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Tooltip label="Read the text">
            <ActionIcon
              variant="subtle"
              component={Link}
              href={readerPathOf(projectId, { documentId: id })}
              aria-label={`Read ${name}`}
            >
              <IconBook2 size={16} />
            </ActionIcon>
          </Tooltip>
          {canWriteKnowledge && <RowActions document={document} {...callbacks} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function RowActions({ document, ...callbacks }: RowProps) {
  const { name, status } = document;
  const { retry, isRetrying, remove, isDeleting } = useDocumentActions(document, callbacks);
  return (
    <>
      {status === 'FAILED' && (
        <Tooltip label="Try again">
          <ActionIcon
            variant="subtle"
            aria-label={`Try ${name} again`}
            loading={isRetrying}
            onClick={() => void retry()}
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
          loading={isDeleting}
          onClick={remove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
