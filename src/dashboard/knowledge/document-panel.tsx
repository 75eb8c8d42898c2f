import { Alert, Anchor, Group, List, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { fileFormats } from '../../extract/file-formats.ts';
import { BackLink } from '../components/back-link.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { formatBytes } from '../format/format-bytes.ts';
import { isNotFound } from '../graphql/is-not-found.ts';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { useChangeSubscription } from '../subscriptions/use-change-subscription.ts';
import { DocumentActions } from './document-actions.tsx';
import { DocumentChunks } from './document-chunks.tsx';
import { type DetailedDocument, DocumentDetails } from './document-details.tsx';
import { documentQuery, documentUpdatedSubscription } from './document-operations.ts';
import { DocumentStatus } from './document-status.tsx';
import { DuplicateChoice } from './duplicate-choice.tsx';

/** A document and its chunks. The cited chunk is highlighted. */
export function DocumentPanel({
  documentId,
  chunkId,
}: {
  readonly documentId: string;
  readonly chunkId: string | null;
}) {
  const { id: projectId } = useProject();
  const variables = { projectId, id: documentId };
  const { data, error, reload } = useFreshQuery(documentQuery, variables);
  useChangeSubscription(
    documentUpdatedSubscription,
    { projectId },
    useThrottledCallback(reload, 500),
  );
  return (
    <Stack maw={860}>
      <BackLink href={`/${projectId}/knowledge`}>All documents</BackLink>
      <DocumentContent
        document={data?.document ?? null}
        chunkId={chunkId}
        error={error}
        onChange={reload}
      />
    </Stack>
  );
}

function DocumentContent({
  document,
  chunkId,
  error,
  onChange,
}: {
  readonly document: DetailedDocument | null;
  readonly chunkId: string | null;
  readonly error: Parameters<typeof LoadFailure>[0]['error'] | undefined;
  readonly onChange: () => void;
}) {
  if (isNotFound(error)) {
    return (
      <EmptyState
        title="Document not found"
        text="It was deleted, or it belongs to another project."
      />
    );
  }
  if (error !== undefined) return <LoadFailure error={error} onRetry={onChange} />;
  if (document === null) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <>
      <DocumentHeader document={document} onChange={onChange} />
      {document.error !== null && (
        <Alert color="red" title="This document could not be processed">
          {document.error.message}{' '}
          <Anchor
            href="/docs/reference/errors#errors-of-a-document"
            target="_blank"
            underline="always"
            inherit
          >
            What you can do
          </Anchor>
        </Alert>
      )}
      {document.warnings.length > 0 && <Warnings document={document} />}
      {document.status === 'PROCESSING' && <Processing document={document} />}
      <DocumentChunks
        documentId={document.id}
        chunkId={chunkId}
        version={`${document.status} ${document.processedAt}`}
      />
    </>
  );
}

function Warnings({ document: { warnings } }: { readonly document: DetailedDocument }) {
  return (
    <Alert color="yellow" title="Parts of the file are not in the text">
      <List size="sm">
        {warnings.map(({ message }) => (
          <List.Item key={message} style={{ overflowWrap: 'anywhere' }}>
            {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Processing({
  document: { waitingReason, publishedVersion },
}: {
  readonly document: DetailedDocument;
}) {
  return waitingReason === null ? (
    <Alert color="yellow" title="Processing">
      {publishedVersion === null
        ? 'The chunks appear here when the document is ready.'
        : 'The assistant answers from the previous version until the new one is ready.'}
    </Alert>
  ) : (
    <Alert color="yellow" title="Waiting for the embedding model">
      {waitingReason}. The document is tried again automatically for 24 hours.
    </Alert>
  );
}

function DocumentHeader({
  document,
  onChange,
}: {
  readonly document: DetailedDocument;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const [, navigate] = useLocation();
  const { name, status, mimeType, sizeBytes, chunkCount, tokenCount, createdAt } = document;
  return (
    <Stack gap="sm">
      <div style={{ minWidth: 0 }}>
        <Group gap="sm" mb={4}>
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {name}
          </Title>
          <DocumentStatus status={status} />
        </Group>
        <Text size="sm" c="dimmed">
          {document.sourceType === 'TEXT' ? 'Written' : 'Uploaded'}{' '}
          <RelativeTime at={createdAt} size="sm" span /> · {formatName(mimeType)} ·{' '}
          {formatBytes(sizeBytes)}
          {status === 'READY' &&
            ` · ${numberFormat.format(chunkCount)} ${chunkCount === 1 ? 'chunk' : 'chunks'} of ${numberFormat.format(tokenCount)} tokens`}
        </Text>
      </div>
      <DuplicateChoice
        document={document}
        onKept={onChange}
        onDeleted={() => navigate(`/${projectId}/knowledge`)}
      />
      <DocumentActions document={document} onChange={onChange} />
      <DocumentDetails document={document} />
    </Stack>
  );
}

const numberFormat = new Intl.NumberFormat('en');

function formatName(mimeType: string): string {
  const format = Object.values(fileFormats).find((format) => format.mimeType === mimeType);
  return format?.label ?? mimeType;
}
