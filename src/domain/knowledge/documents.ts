import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { escapeLike } from '../../platform/postgres/escape-like.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { DocumentStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { type Context, transaction } from '../context.ts';
import { type ListPart, type SortKeys, selectPart } from '../list-place.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject, requireProjectId } from '../organizations/require-project.ts';
import { callerFilter, requireVisibleDocument } from './filter/caller-filter.ts';
import { enqueueIngestion } from './ingestion/enqueue-ingestion.ts';
import { countMatching, listMatchingIds } from './matching-documents.ts';

export type Document = Prisma.DocumentGetPayload<object>;

export type DocumentPage = Page<Document>;

export interface DocumentFilter {
  /** Text that the name must contain. Ignores case. */
  readonly search?: string | null;
  readonly status?: DocumentStatus | null;
  readonly externalId?: string | null;
  /** Tag that the documents must have. */
  readonly tag?: string | null;
  readonly sourceId?: string | null;
  readonly mimeType?: string | null;
  /** ISO 639-1 code. */
  readonly language?: string | null;
  /** Whether the documents must have warnings, or must have none. */
  readonly hasWarnings?: boolean | null;
}

/** Sort order of a list of documents. */
export type DocumentOrder = keyof typeof documentOrders;

/**
 * Returns a document of the project.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 */
export async function getDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
  query: Prisma.DocumentDefaultArgs = {},
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  return requireDocument(context, project, input.id, query);
}

/** Returns the project's documents, newest first. `query` selects the page and relations. */
export async function listDocuments(
  context: Context,
  input: DocumentFilter & { readonly projectId?: string | null },
  query: Pick<Prisma.DocumentFindManyArgs, 'include'> & ListPart = {},
): Promise<Document[]> {
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  return listPart(context, { ...input, projectId: project.id }, 'NEWEST', query);
}

/** Returns one page of the project's documents with the total count, newest first by default. */
export async function listDocumentsByPage(
  context: Context,
  input: DocumentFilter &
    PageInput & { readonly projectId?: string | null; readonly order?: DocumentOrder | null },
): Promise<DocumentPage> {
  const project = { id: await requireProjectId(context, input.projectId, 'knowledge:read') };
  const listed = { ...input, projectId: project.id };
  const filter = callerFilter(context.caller);
  return readPage(
    input,
    (part) => listPart(context, listed, input.order ?? 'NEWEST', part),
    () =>
      filter === null
        ? context.db.document.count({ where: documentsWhere(project, input) })
        : countMatching(context, { ...listed, filter }),
  );
}

/**
 * Reads one part of a list. The list contains all documents, or the documents that match the filter of the calling API
 * key.
 */
async function listPart(
  context: Context,
  listed: DocumentFilter & { readonly projectId: string },
  order: DocumentOrder,
  query: Pick<Prisma.DocumentFindManyArgs, 'include'> & ListPart,
): Promise<Document[]> {
  const orderBy = documentOrders[order];
  const where = documentsWhere({ id: listed.projectId }, listed);
  const filter = callerFilter(context.caller);
  const { include, ...part } = query;
  if (filter === null) {
    return context.db.document.findMany({ include, ...selectPart(part, where, orderBy) });
  }
  const ids = await listMatchingIds(context, { ...listed, filter }, orderBy, part);
  return context.db.document.findMany({
    include,
    where: { ...where, id: { in: ids } },
    orderBy: [...orderBy],
  });
}

const documentOrders = {
  NEWEST: [{ createdAt: 'desc' }, { id: 'desc' }],
  OLDEST: [{ createdAt: 'asc' }, { id: 'asc' }],
  NAME: [{ name: 'asc' }, { id: 'asc' }],
  LARGEST: [{ sizeBytes: 'desc' }, { id: 'desc' }],
} as const satisfies Record<string, SortKeys>;

/**
 * The indexes `documents_source`, `documents_tags` and `documents_failed` serve their fields. The others have no index:
 * a statement reads at most the rows of the project, by the index `documents_project`.
 */
function documentsWhere(
  project: Pick<Project, 'id'>,
  { search, status, externalId, tag, sourceId, mimeType, language, hasWarnings }: DocumentFilter,
): Prisma.DocumentWhereInput {
  return {
    projectId: project.id,
    deletedAt: null,
    ...(search != null &&
      search !== '' && { name: { contains: escapeLike(search), mode: 'insensitive' } }),
    ...(status != null && { status }),
    ...(externalId != null && { externalId }),
    ...(tag != null && { tags: { has: tag } }),
    ...(mimeType != null && { mimeType }),
    ...(language != null && { language }),
    ...(hasWarnings != null && { warnings: hasWarnings ? { not: [] } : { equals: [] } }),
    // No source has an id that is not a UUID, so the result is empty.
    ...(sourceId != null && (isId(sourceId) ? { sourceId } : { id: { in: [] } })),
  };
}

/**
 * Starts the ingestion of a failed document again by enqueueing a job.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the document does not exist in the project.
 * @throws DomainError VALIDATION_FAILED when the document has not failed.
 */
export async function retryDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const { id } = await requireDocument(context, project, input.id);
  return transaction(context, async ({ db, queue }) => {
    const { count } = await db.document.updateMany({
      where: { id, projectId: project.id, status: 'FAILED' },
      data: { status: 'PROCESSING', errorCode: null, errorMessage: null, processedAt: null },
    });
    if (count === 0) {
      throw new DomainError('VALIDATION_FAILED', 'documentId must name a document that has failed');
    }
    await enqueueIngestion(db, queue, project, [id]);
    return db.document.findFirstOrThrow({ where: { id, projectId: project.id } });
  });
}

/**
 * Returns the document. The caller must already have access to the project.
 *
 * @throws DomainError NOT_FOUND when the document does not exist in the project, or the filter of the API key excludes it.
 */
export async function requireDocument(
  context: Context,
  project: Pick<Project, 'id'>,
  id: string,
  query: Prisma.DocumentDefaultArgs = {},
): Promise<Document> {
  const where = { id, projectId: project.id, deletedAt: null };
  const document = isId(id) ? await context.db.document.findFirst({ ...query, where }) : null;
  if (document === null) throw notFound('Document');
  await requireVisibleDocument(context, document);
  return document;
}
