import { createDataLoader } from '../../platform/data-loader.ts';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { deleteDocument } from './delete-documents.ts';
import { type Document, requireDocument } from './documents.ts';
import { visibleDocumentIds } from './filter/caller-filter.ts';
import { replaceContent } from './replace-content.ts';
import { requireWritableProject } from './require-writable-project.ts';
import { documentKey } from './storage-key.ts';

interface DuplicateInput {
  readonly projectId?: string | null;
  readonly documentId: string;
}

/**
 * Returns the project's first document with the same content, if it is older than this one and the operator has not yet
 * chosen which to keep. Returns null for documents of a source and documents with an `externalId`, because another
 * system decides whether these exist. Follows from stored rows, so it also finds the first of two files that were
 * uploaded at the same time.
 *
 * The caller must already have access to the document. If several documents are requested together, one SQL statement
 * serves all of them, by the index `documents_content`.
 */
export function findEarlierDuplicate(
  context: Context,
  { id, projectId, contentHash, sourceId, externalId, isDuplicateKept }: Document,
): Promise<Document | null> {
  if (isDuplicateKept || sourceId !== null || externalId !== null) return Promise.resolve(null);
  return loadFirst(context, projectId, contentHash, (hashes) =>
    findFirstOfContents(context, projectId, hashes),
  ).then((first) => (first?.id === id ? null : first));
}

const loadFirst = createDataLoader<string, Document | null>();

async function findFirstOfContents(
  context: Context,
  projectId: string,
  hashes: readonly string[],
): Promise<(Document | null)[]> {
  const { db } = context;
  const rows = await runSql<{ readonly id: string }>(db, selectFirst, [projectId, hashes]);
  const ids = rows.map(({ id }) => id);
  const visible = [...(await visibleDocumentIds(context, projectId, ids))];
  const found = await db.document.findMany({ where: { projectId, id: { in: visible } } });
  const documents = new Map(found.map((document) => [document.contentHash, document]));
  return hashes.map((hash) => documents.get(hash) ?? null);
}

const selectFirst = `
  select distinct on (content_hash) id from grounded.documents
  where project_id = $1::uuid and content_hash = any ($2::text[]) and deleted_at is null
  order by content_hash, created_at, id`;

/**
 * Keeps the document although an earlier one has the same content. Holds until its content is replaced.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 */
export async function keepDuplicate(context: Context, input: DuplicateInput): Promise<Document> {
  const project = await requireWritableProject(context, input.projectId);
  const { id } = await requireDocument(context, project, input.documentId);
  return transaction(context, async ({ db }) => {
    const where = { id, projectId: project.id };
    await db.document.updateMany({ where, data: { isDuplicateKept: true } });
    return db.document.findFirstOrThrow({ where });
  });
}

/**
 * Gives name and type of the document to the earlier one with the same content, and then deletes the document. If the
 * deletion fails, both documents remain, and the caller can repeat the call. Returns the earlier document.
 *
 * @throws DomainError from `requireProject` and `replaceContent`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 * @throws DomainError CONFLICT when no earlier document has this content, a source keeps the earlier one up to date, or
 *   the content has changed in the meantime.
 */
export async function replaceDuplicate(context: Context, input: DuplicateInput): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const document = await requireDocument(context, project, input.documentId);
  const earlier = await findEarlierDuplicate(context, document);
  if (earlier === null) {
    throw new DomainError('CONFLICT', 'No earlier document has the same content. Reload the list.');
  }
  if (earlier.sourceId !== null) {
    throw new DomainError(
      'CONFLICT',
      'A source keeps the earlier document up to date. Delete this document, or keep both.',
    );
  }
  const replaced = await replaceEarlier(context, project, { document, earlier });
  await deleteDocument(context, {
    projectId: project.id,
    id: document.id,
    version: document.version,
  });
  return replaced;
}

async function replaceEarlier(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  { document, earlier }: { readonly document: Document; readonly earlier: Document },
): Promise<Document> {
  const { name, sourceType, mimeType, contentHash, sizeBytes } = document;
  const file = { key: documentKey(document), sizeBytes: Number(sizeBytes) };
  await using copy = await context.storage.getLocalCopy(file, context.signal).catch(fileReplaced);
  const content = {
    ...{ name, sourceType, mimeType, contentHash },
    ...{ sizeBytes: file.sizeBytes, file: copy.path },
  };
  const replaced = await replaceContent(context, project, earlier, { content, details: {} });
  if (replaced === null) {
    throw new DomainError('CONFLICT', 'The earlier document was deleted in the meantime');
  }
  return replaced;
}

/** The file of a version is deleted only if the document was replaced or deleted. */
function fileReplaced(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
  throw new DomainError('CONFLICT', 'The content of the document was replaced in the meantime', {
    cause: error,
  });
}
