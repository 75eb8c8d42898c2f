import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { type Context, transaction } from '../context.ts';
import { recordEffect } from '../idempotency/idempotent-effect.ts';
import type { Project } from '../organizations/find-project.ts';
import { getOrganizationUploadLimitBytes } from '../upload-limit.ts';
import { resizeStorage } from '../usage/storage-quota.ts';
import { type DocumentContent, isSameContent } from './document-content.ts';
import type { DocumentDetails } from './document-details.ts';
import type { Document } from './documents.ts';
import { enqueueIngestion } from './ingestion/enqueue-ingestion.ts';
import { lockDocument } from './lock-document.ts';
import { putDocumentFile, removeUnusedFile } from './put-document-file.ts';
import { removeFileJob } from './remove-file.ts';
import { documentKey, storageKey } from './storage-key.ts';
import { updateDetails } from './update-details.ts';
import { findDuplicate, type WrittenDocument } from './written-document.ts';

export interface Replacement {
  readonly content: DocumentContent;
  /** Details to change. Absent details keep their values. */
  readonly details: Partial<DocumentDetails>;
}

type ProjectRef = Pick<Project, 'id' | 'organizationId'>;

/**
 * Replaces the content of a document and enqueues its ingestion, under the next version number. Searches find the old
 * chunks until the new chunks are published. If the content is the same, only name and details change. Returns null if
 * the document was deleted.
 *
 * @throws DomainError CONFLICT when another document has the new external id.
 * @throws DomainError PAYLOAD_TOO_LARGE when the content exceeds the plan's upload limit.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function replaceContent(
  context: Context,
  project: ProjectRef,
  document: Document,
  replacement: Replacement,
): Promise<WrittenDocument | null> {
  const { content } = replacement;
  if (isSameContent(document, content)) {
    const unchanged = await applyReplacement(context, project, document.id, replacement, null);
    if (unchanged !== 'CHANGED') return unchanged;
  }
  await requireUploadSize(context, project, content.sizeBytes);
  const fileId = newId();
  const key = storageKey(project.id, fileId);
  return putDocumentFile(context, key, content.file, async () => {
    const replaced = await applyReplacement(context, project, document.id, replacement, fileId);
    if (replaced === 'CHANGED') throw new Error('A replacement with a file is never refused');
    if (replaced === null || replaced.fileId !== fileId) await removeUnusedFile(context, key);
    return replaced;
  });
}

/**
 * Returns the document after the change, or null if it was deleted. If no file was stored because the content was the
 * same, but the content has changed in the meantime, changes nothing and returns `CHANGED`.
 */
async function applyReplacement(
  context: Context,
  project: ProjectRef,
  id: string,
  { content, details }: Replacement,
  fileId: string | null,
): Promise<WrittenDocument | 'CHANGED' | null> {
  const { name } = content;
  return transaction(context, async (context) => {
    const document = await lockDocument(context, project, id);
    if (document === null) return null;
    const isSame = isSameContent(document, content);
    if (!isSame && fileId === null) return 'CHANGED';
    await recordEffect(context, id);
    if (!isSame && fileId !== null) await storeVersion(context, project, document, content, fileId);
    const changes = isSame ? [] : (['content'] as const);
    const written = await updateDetails(context, project, document, { ...details, name }, changes);
    const duplicateOf = await findDuplicate(context.db, written);
    return { ...written, outcome: isSame ? 'UNCHANGED' : 'REPLACED', duplicateOf };
  });
}

/** The new attempt number stops a running ingestion of the old version. A job removes the old file. */
async function storeVersion(
  { db, queue }: Context,
  project: ProjectRef,
  document: Document,
  { sourceType, mimeType, contentHash, sizeBytes }: DocumentContent,
  fileId: string,
): Promise<void> {
  const { id, projectId } = document;
  // Update the storage before the row, as `insertDocument` does. With the same order, the two transactions cannot wait
  // for each other.
  await resizeStorage(db, project.organizationId, Number(document.sizeBytes), sizeBytes);
  await db.document.updateMany({
    where: { id, projectId },
    data: {
      ...{ sourceType, mimeType, contentHash, sizeBytes, fileId },
      ...{ status: 'PROCESSING', errorCode: null, errorMessage: null, processedAt: null },
      ...{ waitingSince: null, waitingReason: null, loneFailures: 0, isDuplicateKept: false },
      version: { increment: 1 },
      attempt: { increment: 1 },
    },
  });
  await queue.enqueue(db, removeFileJob, { key: documentKey(document) });
  await enqueueIngestion(db, queue, project, [id]);
}

async function requireUploadSize(
  context: Context,
  project: ProjectRef,
  sizeBytes: number,
): Promise<void> {
  const limit = await getOrganizationUploadLimitBytes(context, project.organizationId);
  if (sizeBytes <= limit) return;
  throw new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The document exceeds the plan's limit of ${limit} bytes`,
  );
}
