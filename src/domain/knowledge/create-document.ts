import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectFileType, mimeTypeOf } from '../../extract/detect-file-type.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { createUploadDirectory, type UploadedFile } from '../../platform/storage/uploaded-file.ts';
import { type Context, transaction } from '../context.ts';
import { recordEffect } from '../idempotency/idempotent-effect.ts';
import { requireProject } from '../organizations/require-project.ts';
import { getOrganizationUploadLimitBytes } from '../upload-limit.ts';
import { consumeStorage } from '../usage/storage-quota.ts';
import { type Document, requireDocument } from './documents.ts';
import { enqueueIngestion } from './ingestion/enqueue-ingestion.ts';
import { storageKey } from './storage-key.ts';

const supportedFormats = 'PDF, DOCX, TXT, CSV, Markdown';

/**
 * Creates a document from raw text, stored as UTF-8, and enqueues its ingestion.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError PAYLOAD_TOO_LARGE when the text exceeds the plan's upload limit.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function createDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly name: string; readonly content: string },
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const bytes = Buffer.from(input.content, 'utf8');
  const isMarkdown = detectFileType(bytes, input.name) === 'markdown';
  const directory = await createUploadDirectory();
  try {
    const path = join(directory, 'content');
    await writeFile(path, bytes);
    return await storeDocument(context, project, path, {
      name: input.name,
      sourceType: 'TEXT',
      mimeType: mimeTypeOf(isMarkdown ? 'markdown' : 'txt'),
      sizeBytes: bytes.length,
      contentHash: createHash('sha256').update(bytes).digest('hex'),
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Creates a document from a file and enqueues its ingestion. The file type is detected by content, then by file name.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError UNSUPPORTED_FILE when the file is empty or its type is not supported.
 * @throws DomainError PAYLOAD_TOO_LARGE when the file exceeds the plan's upload limit.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function uploadDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly file: UploadedFile },
): Promise<Document> {
  const { file } = input;
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  if (file.sizeBytes === 0) {
    throw new DomainError(
      'UNSUPPORTED_FILE',
      `The file is empty. Supported formats: ${supportedFormats}`,
    );
  }
  const type = detectFileType(file.head, file.name);
  if (type === null) {
    throw new DomainError(
      'UNSUPPORTED_FILE',
      `The file's format is not supported. Supported formats: ${supportedFormats}`,
    );
  }
  return storeDocument(context, project, file.path, {
    name: file.name,
    sourceType: 'FILE',
    mimeType: mimeTypeOf(type),
    sizeBytes: file.sizeBytes,
    contentHash: file.sha256,
  });
}

type DocumentData = Pick<Document, 'name' | 'sourceType' | 'mimeType' | 'contentHash'> & {
  readonly sizeBytes: number;
};

/**
 * Stores the file before the transaction, so that a row never exists without its file. The transaction then inserts the
 * row, consumes storage quota and enqueues the job. A process that dies before the transaction leaves a file that
 * `removeOrphanFiles` deletes. The retry of a request whose process died after the transaction returns its document.
 */
async function storeDocument(
  context: Context,
  project: { readonly id: string; readonly organizationId: string },
  path: string,
  data: DocumentData,
): Promise<Document> {
  const { claimedKey } = context;
  if (claimedKey?.effectId) return requireDocument(context, project, claimedKey.effectId);
  context.disk.requireSpace();
  const limit = await getOrganizationUploadLimitBytes(context, project.organizationId);
  if (data.sizeBytes > limit) {
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      `The document exceeds the plan's limit of ${limit} bytes`,
    );
  }
  const id = newId();
  const key = storageKey(project.id, id);
  await context.storage.putFile(key, path, context.signal);
  try {
    return await transaction(context, async (context) => {
      const { db, queue } = context;
      await consumeStorage(db, project.organizationId, data.sizeBytes);
      const document = await db.document.create({ data: { id, projectId: project.id, ...data } });
      await enqueueIngestion(db, queue, project, [id]);
      await recordEffect(context, id);
      return document;
    });
  } catch (error) {
    // If the removal fails, only log it: the caller needs the original error, and `removeOrphanFiles` deletes the file
    // later.
    await context.storage
      .remove([key])
      .catch((removalError) =>
        context.log.warn(
          { err: removalError, key },
          'failed to remove the file of a document that was not created',
        ),
      );
    throw error;
  }
}
