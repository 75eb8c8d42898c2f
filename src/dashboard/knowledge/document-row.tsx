import { ActionIcon, Anchor, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { saySize } from '../shell/say-size.ts';
import { Time } from '../shell/time.tsx';
import type { documentFields } from './document-operations.ts';
import { DocumentStatus } from './document-status.tsx';
import { useDocumentActions } from './use-document-actions.ts';

interface RowProps {
  readonly document: ResultOf<typeof documentFields>;
  readonly onRetried: () => void;
  readonly onDeleted: () => void;
}

/** On a narrow screen size and time stand below the name. */
export function DocumentRow({ document, ...done }: RowProps) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const { id, name, status, error, sizeBytes, chunkCount, createdAt } = document;
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
          {saySize(sizeBytes)} · <Time at={createdAt} size="xs" span />
        </Text>
        {error !== null && (
          <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
            {error.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <DocumentStatus status={status} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {saySize(sizeBytes)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {status === 'READY' ? chunkCount : '–'}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td>{canWriteKnowledge && <RowActions document={document} {...done} />}</Table.Td>
    </Table.Tr>
  );
}

function RowActions({ document, ...done }: RowProps) {
  const { name, status } = document;
  const { retry, isRetrying, remove, isDeleting } = useDocumentActions(document, done);
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
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
    </Group>
  );
}
