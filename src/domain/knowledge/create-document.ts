import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Context, transaction } from '../context.ts';
import { DomainError } from '../errors.ts';
import { newId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';
import { organizationUploadLimit } from '../plans.ts';
import { takeStorage } from '../usage/storage-quota.ts';
import type { Document } from './documents.ts';
import { detectType, mimeTypeOf } from './extract/detect-type.ts';
import { storageKey } from './storage-key.ts';
import { makeIncomingDirectory, type UploadedFile } from './uploaded-file.ts';

const supportedFormats = 'PDF, DOCX, TXT, CSV, Markdown';

/** Makes a document from raw text and orders its ingestion. Its bytes are the text in UTF-8. */
export async function createDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly name: string; readonly content: string },
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const bytes = Buffer.from(input.content, 'utf8');
  const isMarkdown = detectType(bytes, input.name) === 'markdown';
  const directory = await makeIncomingDirectory();
  try {
    const path = join(directory, 'content');
    await writeFile(path, bytes);
    return await store(context, project, path, {
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
 * Makes a document from a file and orders its ingestion. The type is told by the content, then by the name.
 * Throws `UNSUPPORTED_FILE` for an empty file or another type.
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
  const type = detectType(file.head, file.name);
  if (type === null) {
    throw new DomainError(
      'UNSUPPORTED_FILE',
      `The file's format is not supported. Supported formats: ${supportedFormats}`,
    );
  }
  return store(context, project, file.path, {
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

/** The bytes first, outside the transaction; then the row, its share of the storage and its job together. */
async function store(
  context: Context,
  project: { readonly id: string; readonly organizationId: string },
  path: string,
  data: DocumentData,
): Promise<Document> {
  const limit = await organizationUploadLimit(context, project.organizationId);
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
    return await transaction(context, async ({ db, queue }) => {
      await takeStorage(db, project.organizationId, data.sizeBytes);
      const document = await db.document.create({ data: { id, projectId: project.id, ...data } });
      await queue.enqueue(db, 'ingest-document', { projectId: project.id, documentId: id });
      return document;
    });
  } catch (error) {
    // What cannot be removed now is found by the sweep; the caller is to hear of the first trouble.
    await context.storage
      .remove([key])
      .catch((trouble) => context.log.warn({ err: trouble, key }, 'file without a document left'));
    throw error;
  }
}
