import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { DocumentList } from './document-list.tsx';
import { UploadArea } from './uploads/upload-area.tsx';
import { WriteDocumentModal } from './write-document-modal.tsx';

// Separate scripts for the panel, and for views that the list of documents does not need.
const DocumentPanel = lazy(() =>
  import('./document-panel.tsx').then((module) => ({ default: module.DocumentPanel })),
);
const DocumentReader = lazy(() =>
  import('./reader/document-reader.tsx').then((module) => ({ default: module.DocumentReader })),
);
const SourceList = lazy(() =>
  import('./sources/source-list.tsx').then((module) => ({ default: module.SourceList })),
);
const KnowledgeSearch = lazy(() =>
  import('./search/knowledge-search.tsx').then((module) => ({ default: module.KnowledgeSearch })),
);
const loading = <Skeleton h={240} aria-label="Loading" />;

const views = [
  { value: 'documents', label: 'Documents' },
  { value: 'sources', label: 'Sources' },
  { value: 'search', label: 'Search' },
] as const;

/** Manages the project's documents and sources, and tests their retrieval. */
export function KnowledgePage() {
  const [params, setParams] = useSearchParams();
  const [isWriting, writing] = useDisclosure(false);
  const { canWriteKnowledge } = usePermissions();
  const [documentId, next = null, chunkId = null] = (useParams()['*'] ?? '').split('/');
  if (documentId && next === 'text') {
    return (
      <Suspense fallback={<Page title="Knowledge">{loading}</Page>}>
        <DocumentReader key={documentId} documentId={documentId} chunkId={chunkId || null} />
      </Suspense>
    );
  }
  if (documentId) {
    return (
      <Page title="Knowledge">
        <Suspense fallback={loading}>
          <DocumentPanel key={documentId} documentId={documentId} chunkId={next} />
        </Suspense>
      </Page>
    );
  }
  const view = views.find(({ value }) => value === params.get('view'))?.value ?? 'documents';
  return (
    <Page
      title="Knowledge"
      actions={
        canWriteKnowledge && (
          <Button
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={writing.open}
          >
            Write a document
          </Button>
        )
      }
    >
      <SegmentedControl
        aria-label="View"
        w="fit-content"
        data={[...views]}
        value={view}
        onChange={(chosen) => setParams(chosen === 'documents' ? {} : { view: chosen })}
      />
      {view === 'documents' && (
        <>
          {canWriteKnowledge && <UploadArea />}
          <DocumentList />
        </>
      )}
      {view === 'sources' && (
        <Suspense fallback={loading}>
          <SourceList />
        </Suspense>
      )}
      {view === 'search' && (
        <Suspense fallback={loading}>
          <KnowledgeSearch />
        </Suspense>
      )}
      <WriteDocumentModal opened={isWriting} onClose={writing.close} />
    </Page>
  );
}
