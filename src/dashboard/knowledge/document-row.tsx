import { ActionIcon, Anchor, Badge, Checkbox, Group, Table, Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconBook2, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { fileFormats } from '../../extract/file-formats.ts';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatBytes } from '../format/format-bytes.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import type { documentFields } from './document-operations.ts';
import { DocumentStatus } from './document-status.tsx';
import { DuplicateChoice } from './duplicate-choice.tsx';
import { languageLabelOf } from './language-label.ts';
import { readerPathOf } from './reader/reader-path.ts';
import type { DocumentSelection } from './selection/document-selection.ts';
import { useDocumentActions } from './use-document-actions.ts';
import type { DocumentFilter } from './use-document-filter.ts';

interface RowProps {
  readonly document: ResultOf<typeof documentFields>;
  readonly onChanged: () => void;
  readonly onDeleted: () => void;
}

/** A table row. Narrow screens show the columns below the name. `selection` is null without write permission. */
export function DocumentRow({
  document,
  source,
  selection,
  onFilter,
  ...callbacks
}: RowProps & {
  readonly source: { readonly name: string } | null;
  readonly selection: DocumentSelection | null;
  readonly onFilter: (part: Partial<DocumentFilter>) => void;
}) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const { id, name, status, error, warnings, waitingReason, sizeBytes, chunkCount, createdAt } =
    document;
  const { sourceId, tags, language } = document;
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, {
    getInitialValueInEffect: false,
  });
  return (
    <Table.Tr>
      {selection !== null && (
        <Table.Td>
          <Checkbox
            aria-label={`Select ${name}`}
            checked={selection.isSelected(id)}
            onChange={() => selection.toggle(id)}
          />
        </Table.Td>
      )}
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
        {isNarrow && (
          <Group my={4}>
            <DocumentStatus status={status} />
          </Group>
        )}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {typeLabelOf(document)} · {language !== null && `${languageLabelOf(language)} · `}
          {formatBytes(sizeBytes)} · <RelativeTime at={createdAt} size="xs" span />
        </Text>
        {source !== null && (
          <Text size="xs" c="dimmed" hiddenFrom="lg" truncate>
            Source: {source.name}
          </Text>
        )}
        <Tags tags={tags} onFilter={onFilter} />
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
        <DuplicateChoice
          document={document}
          onKept={callbacks.onChanged}
          onDeleted={callbacks.onDeleted}
        />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm" truncate title={source?.name}>
          {source?.name ?? (sourceId === null ? '–' : 'Another source')}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">{typeLabelOf(document)}</Table.Td>
      <Table.Td visibleFrom="lg">{language === null ? '–' : languageLabelOf(language)}</Table.Td>
      {!isNarrow && (
        <Table.Td>
          <DocumentStatus status={status} />
        </Table.Td>
      )}
      <Table.Td ta="right" visibleFrom="sm">
        {formatBytes(sizeBytes)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xl">
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

/** The tags of a document. Each is a button that shows the documents with this tag. */
function Tags({
  tags,
  onFilter,
}: {
  readonly tags: readonly string[];
  readonly onFilter: (part: Partial<DocumentFilter>) => void;
}) {
  if (tags.length === 0) return null;
  return (
    <Group gap={4} my={4}>
      {tags.map((tag) => (
        <Badge
          key={tag}
          component="button"
          type="button"
          variant="default"
          size="sm"
          tt="none"
          style={{ cursor: 'pointer' }}
          aria-label={`Show documents with the tag ${tag}`}
          onClick={() => onFilter({ tag })}
        >
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

function typeLabelOf({ mimeType }: RowProps['document']): string {
  const format = Object.values(fileFormats).find((format) => format.mimeType === mimeType);
  return format?.label ?? mimeType;
}

function RowActions({ document, onChanged, onDeleted }: RowProps) {
  const { name, status } = document;
  const { retry, isRetrying, remove, isDeleting } = useDocumentActions(document, {
    onRetried: onChanged,
    onDeleted,
  });
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
