import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { releaseStorage } from '../usage/storage-quota.ts';
import type { Document } from './documents.ts';
import { visibleDocumentIds } from './filter/caller-filter.ts';
import { lockDocument } from './lock-document.ts';
import { removeDocuments } from './remove-documents.ts';
import { removeFileJob } from './remove-file.ts';
import { documentKey } from './storage-key.ts';

/**
 * Maximum number of chunks that are deleted together with their document. If a document has more, a job deletes its
 * chunks.
 */
const maxDeletedChunks = 100;

/** Maximum number of ids of deleted documents in one entry of the audit log. */
const maxAuditedIds = 100;

/**
 * Deletes the document, its chunks and its pending jobs. A job deletes the file later. If the document is large, the
 * job also deletes the chunks. Searches ignore them from now on. With `version`, deletes only this version.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 * @throws DomainError CONFLICT when the document has another version.
 */
export async function deleteDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string; readonly version?: number },
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  return inRemoval(context, async (context) => {
    const document = await removeDocument(context, project, input.id);
    if (document === null) throw notFound('Document');
    if (input.version !== undefined && document.version !== input.version) {
      throw new DomainError('CONFLICT', 'The content of the document was replaced in the meantime');
    }
    await recordAuditEntry(context, {
      organizationId: project.organizationId,
      action: 'DOCUMENT_DELETED',
      target: { type: 'DOCUMENT', id: document.id, name: document.name },
      change: { projectId: project.id },
    });
    return document;
  });
}

/**
 * Deletes a document of a source. The run of the source records one entry in the audit log for all its deletions. Returns
 * false if the document does not exist.
 */
export async function deleteSourceDocument(
  context: Context,
  input: { readonly projectId: string; readonly id: string },
): Promise<boolean> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  return inRemoval(
    context,
    async (context) => (await removeDocument(context, project, input.id)) !== null,
  );
}

async function removeDocument(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  documentId: string,
): Promise<Document | null> {
  const { db, queue } = context;
  const document = isId(documentId) ? await lockDocument(context, project, documentId) : null;
  if (document === null) return null;
  const { id } = document;
  if (await hasManyChunks(context, project, id)) {
    await removeDocuments(context, project, [id]);
    return document;
  }
  // Update the storage before the row, as `insertDocument` does. With the same order, the two transactions cannot wait
  // for each other.
  await releaseStorage(db, project.organizationId, Number(document.sizeBytes));
  await db.document.deleteMany({ where: { id, projectId: project.id } });
  await queue.enqueue(db, removeFileJob, { key: documentKey(document) });
  return document;
}

/**
 * Deletes documents of the project, at most 1,000 per call. Ignores unknown ids, ids of other projects and repeated
 * ids. Returns the number of deleted documents.
 *
 * @throws DomainError from `requireProject`.
 */
export async function deleteDocuments(
  context: Context,
  input: { readonly projectId?: string | null; readonly documentIds: readonly string[] },
): Promise<number> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const ids = [...new Set(input.documentIds.filter(isId))];
  return inRemoval(context, async (context) => {
    const visible = await visibleDocumentIds(context, project.id, ids);
    const count = await removeDocuments(context, project, visible);
    if (count > 0) {
      await recordAuditEntry(context, {
        organizationId: project.organizationId,
        action: 'DOCUMENTS_DELETED',
        target: { type: 'PROJECT', id: project.id, name: project.name },
        change: { count, documentIds: visible.slice(0, maxAuditedIds) },
      });
    }
    return count;
  });
}

/** Runs the transaction even if the disk is full, because it deletes data. */
function inRemoval<Result>(
  context: Context,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  return transaction(context, work, { isRemoval: true });
}

async function hasManyChunks(
  { db }: Context,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<boolean> {
  const beyond = await runSql(db, findChunkBeyond, [project.id, id, maxDeletedChunks]);
  return beyond.length > 0;
}

const findChunkBeyond = `
  select id from grounded.chunks where project_id = $1::uuid and document_id = $2::uuid limit 1 offset $3::int`;
