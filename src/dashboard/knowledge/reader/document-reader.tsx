import { Anchor, Button, Group, NumberInput, Skeleton, Stack, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import type { CombinedError } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { BackLink } from '../../components/back-link.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { isNotFound } from '../../graphql/is-not-found.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { useProject } from '../../project/project.tsx';
import { Page } from '../../shell/page.tsx';
import { documentQuery } from '../document-operations.ts';
import { useDocumentChunks } from '../use-document-chunks.ts';
import { DocumentText } from './document-text.tsx';
import classes from './reader.module.css';
import { quoteOf, readerPathOf } from './reader-path.ts';

/**
 * Shows the text of a document: from its start, from the page in `?page=`, or near a cited chunk. In the cited chunk,
 * the quote from the fragment is highlighted. The URL contains all of this, so links, reload and the back button show
 * the same passage again.
 */
export function DocumentReader({
  documentId,
  chunkId,
}: {
  readonly documentId: string;
  readonly chunkId: string | null;
}) {
  const { id: projectId } = useProject();
  const quote = quoteOf(useLocationProperty(() => location.hash));
  const page = pageOf(useSearchParams()[0].get('page'));
  const { data, error, reload } = useFreshQuery(documentQuery, { projectId, id: documentId });
  const chunks = useDocumentChunks(documentId, chunkId, page);
  const path = readerPathOf(projectId, { documentId });
  const failure = error ?? (chunks.nodes.length === 0 ? chunks.error : undefined);
  const reloadAll = () => {
    reload();
    chunks.reload();
  };
  const name = data?.document.name;
  return (
    <Page title="Knowledge" tabTitle={name}>
      <Stack maw={760}>
        <BackLink href={`/${projectId}/knowledge`}>All documents</BackLink>
        {failure !== undefined && <Failure error={failure} onRetry={reloadAll} />}
        {failure === undefined && (name === undefined || !chunks.isLoaded) && (
          <Skeleton h={240} aria-label="Loading" />
        )}
        {failure === undefined && name !== undefined && chunks.isLoaded && (
          <>
            <Title order={2} size="h3" className={classes.name}>
              {name}
            </Title>
            <Group justify="space-between">
              <Anchor component={Link} href={`/${projectId}/knowledge/${documentId}`} size="sm">
                Details of the document
              </Anchor>
              {(page !== null || chunks.nodes.some(({ page }) => page !== null)) && (
                <PageForm key={page} page={page} path={path} />
              )}
            </Group>
            <DocumentText chunks={chunks} chunkId={chunkId} quote={quote} page={page} path={path} />
          </>
        )}
      </Stack>
    </Page>
  );
}

function Failure({
  error,
  onRetry,
}: {
  readonly error: CombinedError;
  readonly onRetry: () => void;
}) {
  if (!isNotFound(error)) {
    return <LoadFailure error={error} onRetry={onRetry} />;
  }
  return (
    <EmptyState
      title="Document not found"
      text="It was deleted, or it belongs to another project."
    />
  );
}

function PageForm({ page, path }: { readonly page: number | null; readonly path: string }) {
  const [, navigate] = useLocation();
  const [value, setValue] = useState<string | number>(page ?? '');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = pageOf(String(value));
    if (chosen !== null) navigate(`${path}?page=${chosen}`);
  };
  return (
    <Group component="form" gap="xs" onSubmit={submit}>
      <NumberInput
        aria-label="Page"
        placeholder="Page"
        size="xs"
        w={80}
        min={1}
        max={maxPage}
        allowDecimal={false}
        hideControls
        value={value}
        onChange={setValue}
      />
      <Button type="submit" size="xs" variant="default">
        Go to page
      </Button>
    </Group>
  );
}

const maxPage = 1_000_000;

/** Returns the page number in a text, or null if the text is not a page number. */
function pageOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}
