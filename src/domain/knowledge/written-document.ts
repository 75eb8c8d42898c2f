import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { type Document, requireDocument } from './documents.ts';
import { isVisibleDocument } from './filter/caller-filter.ts';

/** Result of a write. `UNCHANGED` means that the content was already the same. The details may still have changed. */
export const documentOutcomes = ['CREATED', 'REPLACED', 'UNCHANGED'] as const;
export type DocumentOutcome = (typeof documentOutcomes)[number];

/** A document that was created or replaced. */
export type WrittenDocument = Document & {
  readonly outcome: DocumentOutcome;
  /**
   * Id of another document of the project with the same content. If there are several, the id of the first. Null if
   * there is none.
   */
  readonly duplicateOf: string | null;
};

/** Returns whether the document is the result of a write. */
export function isWrittenDocument(document: Document): document is WrittenDocument {
  return 'outcome' in document;
}

/**
 * Returns the document that an earlier process has written for the same request before it died. Returns null if there
 * is none.
 *
 * @throws DomainError NOT_FOUND when the document was deleted in the meantime.
 */
export async function findEffect(
  context: Context,
  project: Pick<Project, 'id'>,
): Promise<WrittenDocument | null> {
  const { claimedKey } = context;
  if (claimedKey === null || claimedKey.effectId === null) return null;
  const document = await requireDocument(context, project, claimedKey.effectId);
  const outcome = document.version === 1 ? 'CREATED' : 'REPLACED';
  return { ...document, outcome, duplicateOf: await findDuplicate(context.pool, document) };
}

/** Sets `duplicateOf` to null if the caller does not see the duplicate. */
export async function hideInvisibleDuplicate(
  context: Context,
  written: WrittenDocument,
): Promise<WrittenDocument> {
  const { duplicateOf, projectId } = written;
  if (duplicateOf === null) return written;
  const isVisible = await isVisibleDocument(context, { projectId, id: duplicateOf });
  return isVisible ? written : { ...written, duplicateOf: null };
}

/**
 * Returns the id of another document of the project with the same content. If there are several, returns the id of the
 * first. Returns null if there is none.
 */
export async function findDuplicate(
  db: SqlClient,
  { id, projectId, contentHash }: Pick<Document, 'id' | 'projectId' | 'contentHash'>,
): Promise<string | null> {
  const statement = firstWithContentSql({
    projectId: '$1::uuid',
    contentHash: '$2::text',
    not: '$3::uuid',
  });
  const [first] = await runSql<{ id: string }>(db, statement, [projectId, contentHash, id]);
  return first?.id ?? null;
}

/** Returns SQL for the id of the project's first document with this content, except the document `not`. */
export function firstWithContentSql(values: {
  readonly projectId: string;
  readonly contentHash: string;
  readonly not: string;
}): string {
  return `select id from grounded.documents
    where project_id = ${values.projectId} and content_hash = ${values.contentHash} and id <> ${values.not}
      and deleted_at is null
    order by created_at, id limit 1`;
}
