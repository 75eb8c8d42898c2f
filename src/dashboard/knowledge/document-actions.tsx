import { Button, FileButton, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBook2,
  IconDownload,
  IconPencil,
  IconRefresh,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { notifyProblem, notifySuccess } from '../components/error-messages.tsx';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { saveFile } from '../session/download.ts';
import { useSession } from '../session/session-gate.tsx';
import type { DetailedDocument } from './document-details.tsx';
import { EditDetailsModal } from './edit-details-modal.tsx';
import { EditTextModal } from './edit-text-modal.tsx';
import { readOriginal } from './read-original.ts';
import { readerPathOf } from './reader/reader-path.ts';
import { type UploadOutcome, uploadFile } from './uploads/upload-file.ts';
import { acceptedExtensions, validateFile } from './uploads/validate-file.ts';
import { useDocumentActions } from './use-document-actions.ts';

/**
 * The buttons of a document. A document of a source has no button to replace it, because the source would overwrite the
 * new file.
 */
export function DocumentActions({
  document,
  onChange,
}: {
  readonly document: DetailedDocument;
  readonly onChange: () => void;
}) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge } = usePermissions();
  const [, navigate] = useLocation();
  const [isEditingDetails, details] = useDisclosure(false);
  const [isEditingText, text] = useDisclosure(false);
  const actions = useDocumentActions(document, {
    onRetried: onChange,
    onDeleted: () => navigate(`/${projectId}/knowledge`),
  });
  const isOwn = canWriteKnowledge && document.sourceId === null;
  return (
    <Group gap="xs">
      {canWriteKnowledge && document.status === 'FAILED' && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={actions.isRetrying}
          onClick={() => void actions.retry()}
        >
          Try again
        </Button>
      )}
      {isOwn && document.sourceType === 'TEXT' && (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={text.open}
        >
          Edit the text
        </Button>
      )}
      {isOwn && document.sourceType !== 'TEXT' && (
        <ReplaceButton document={document} onReplaced={onChange} />
      )}
      {isOwn && (
        <Button variant="default" onClick={details.open}>
          Edit the details
        </Button>
      )}
      <Button
        variant="default"
        component={Link}
        href={readerPathOf(projectId, { documentId: document.id })}
        leftSection={<IconBook2 size={16} aria-hidden />}
      >
        Read the text
      </Button>
      <DownloadButton document={document} />
      {canWriteKnowledge && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          loading={actions.isDeleting}
          onClick={actions.remove}
        >
          Delete
        </Button>
      )}
      <EditDetailsModal
        opened={isEditingDetails}
        document={document}
        onClose={details.close}
        onSaved={onChange}
      />
      <EditTextModal
        opened={isEditingText}
        document={document}
        onClose={text.close}
        onSaved={onChange}
      />
    </Group>
  );
}

function DownloadButton({ document: { id, name } }: { readonly document: DetailedDocument }) {
  const { id: projectId } = useProject();
  const session = useSession();
  const [isRunning, setRunning] = useState(false);
  const download = async () => {
    setRunning(true);
    try {
      saveFile(await readOriginal(session, { projectId, documentId: id }), name);
    } catch (error) {
      notifyProblem('The document was not downloaded', (error as Error).message);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isRunning}
      onClick={() => void download()}
    >
      Download
    </Button>
  );
}

function ReplaceButton({
  document: { id, name },
  onReplaced,
}: {
  readonly document: DetailedDocument;
  readonly onReplaced: () => void;
}) {
  const { id: projectId } = useProject();
  const session = useSession();
  const [isRunning, setRunning] = useState(false);
  const resetChoice = useRef<() => void>(null);
  const replace = async (file: File | null) => {
    if (file === null) return;
    // Without this reset, the browser does nothing when the operator chooses the same file again.
    resetChoice.current?.();
    setRunning(true);
    const { signal } = new AbortController();
    const request = { projectId, documentId: id, file, signal, onProgress: () => {} };
    const problem = await validateFile(file, null);
    const outcome: UploadOutcome =
      problem === null
        ? await uploadFile(session, request)
        : { isStored: false, status: 0, message: problem };
    setRunning(false);
    if (!outcome.isStored) {
      notifyProblem(`${name} was not replaced`, outcome.message);
      return;
    }
    notifySuccess(`${file.name} is being indexed`);
    onReplaced();
  };
  return (
    <FileButton
      resetRef={resetChoice}
      onChange={(file) => void replace(file)}
      accept={acceptedExtensions}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          loading={isRunning}
        >
          Replace
        </Button>
      )}
    </FileButton>
  );
}
