import { Button, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useParams, useSearchParams } from 'wouter';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { DocumentList } from './document-list.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { KnowledgeSearch } from './search/knowledge-search.tsx';
import { UploadArea } from './uploads/upload-area.tsx';
import { WriteDocumentModal } from './write-document-modal.tsx';

/** Manages the project's documents and tests their retrieval. */
export function KnowledgePage() {
  const [params, setParams] = useSearchParams();
  const [isWriting, writing] = useDisclosure(false);
  const { canWriteKnowledge } = usePermissions();
  const [documentId, chunkId = null] = (useParams()['*'] ?? '').split('/');
  if (documentId) {
    return (
      <Page title="Knowledge">
        <DocumentPanel key={documentId} documentId={documentId} chunkId={chunkId} />
      </Page>
    );
  }
  const isSearch = params.get('view') === 'search';
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
        data={[
          { value: 'documents', label: 'Documents' },
          { value: 'search', label: 'Search' },
        ]}
        value={isSearch ? 'search' : 'documents'}
        onChange={(view) => setParams(view === 'search' ? { view } : {})}
      />
      {isSearch ? (
        <KnowledgeSearch />
      ) : (
        <>
          {canWriteKnowledge && <UploadArea />}
          <DocumentList />
        </>
      )}
      <WriteDocumentModal opened={isWriting} onClose={writing.close} />
    </Page>
  );
}
