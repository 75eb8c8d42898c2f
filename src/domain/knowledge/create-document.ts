import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectFileType } from '../../extract/detect-file-type.ts';
import { mimeTypeOf, supportedFormats } from '../../extract/file-formats.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { createUploadDirectory, type UploadedFile } from '../../platform/storage/uploaded-file.ts';
import type { Context } from '../context.ts';
import { findKeyProject, type Project, requireProject } from '../organizations/require-project.ts';
import { type Document, requireDocument } from './documents.ts';
import { insertDocument, type NewDocument } from './insert-document.ts';
import { storageKey } from './storage-key.ts';

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
  const project = await requireWritableProject(context, input.projectId);
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
  const project = await requireWritableProject(context, input.projectId);
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

async function requireWritableProject(
  context: Context,
  projectId: string | null | undefined,
): Promise<Pick<Project, 'id' | 'organizationId'>> {
  const known = findKeyProject(context, projectId, 'knowledge:write');
  return known ?? requireProject(context, projectId, 'knowledge:write');
}

/**
 * Stores the file before the row, so that a row never exists without its file. A process that dies in between leaves a
 * file that `removeOrphanFiles` deletes. The retry of a request whose process died after both returns its document.
 */
async function storeDocument(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  path: string,
  data: Omit<NewDocument, 'id'>,
): Promise<Document> {
  const { claimedKey } = context;
  if (claimedKey?.effectId) return requireDocument(context, project, claimedKey.effectId);
  context.disk.requireSpace();
  const id = newId();
  const key = storageKey(project.id, id);
  await context.storage.putFile(key, path, context.signal);
  try {
    return await insertDocument(context, project, { id, ...data });
  } catch (error) {
    // After a lost connection, the row may have been stored. If it was not, `removeOrphanFiles` deletes the file later,
    // as it does if the removal fails.
    if (!isRefusal(error)) throw error;
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

/** Whether the error says for sure that nothing was stored. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.code !== 'UNAVAILABLE';
}
