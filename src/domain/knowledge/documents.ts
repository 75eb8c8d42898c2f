import { type Context, transaction } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { escapeLike } from '../escape-like.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { DocumentStatus } from '../generated/prisma/enums.ts';
import { isId } from '../ids.ts';
import { type Project, requireProject } from '../organizations/require-project.ts';
import { type Page, type PageInput, readPage } from '../pages.ts';
import { freeStorage } from '../usage/storage-quota.ts';
import { storageKey } from './storage-key.ts';

export type Document = Prisma.DocumentGetPayload<object>;

export type DocumentPage = Page<Document>;

export interface DocumentFilter {
  /** Case-insensitive, anywhere in the name. */
  readonly search?: string | null;
  readonly status?: DocumentStatus | null;
}

/** Which come first. */
export type DocumentOrder = keyof typeof documentOrders;

/** A document of the project. Throws `NOT_FOUND`. */
export async function getDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
  query: Prisma.DocumentDefaultArgs = {},
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  return findDocument(context, project, input.id, query);
}

/** The project's documents, newest first; `query` says which part of them. */
export async function listDocuments(
  context: Context,
  input: DocumentFilter & { readonly projectId?: string | null },
  query: Pick<Prisma.DocumentFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<Document[]> {
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  return context.db.document.findMany({
    ...query,
    where: documentsWhere(project, input),
    orderBy: documentOrders.NEWEST,
  });
}

/** One page of the project's documents, newest first unless told otherwise, and how many there are in all. */
export async function pageDocuments(
  context: Context,
  input: DocumentFilter &
    PageInput & { readonly projectId?: string | null; readonly order?: DocumentOrder | null },
): Promise<DocumentPage> {
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  const where = documentsWhere(project, input);
  const orderBy = documentOrders[input.order ?? 'NEWEST'];
  return readPage(
    input,
    (part) => context.db.document.findMany({ ...part, where, orderBy }),
    () => context.db.document.count({ where }),
  );
}

const documentOrders = {
  NEWEST: [{ createdAt: 'desc' }, { id: 'desc' }],
  OLDEST: [{ createdAt: 'asc' }, { id: 'asc' }],
  NAME: [{ name: 'asc' }, { id: 'asc' }],
  LARGEST: [{ sizeBytes: 'desc' }, { id: 'desc' }],
} satisfies Record<string, Prisma.DocumentOrderByWithRelationInput[]>;

function documentsWhere(
  project: Project,
  { search, status }: DocumentFilter,
): Prisma.DocumentWhereInput {
  return {
    projectId: project.id,
    ...(search != null &&
      search !== '' && { name: { contains: escapeLike(search), mode: 'insensitive' } }),
    ...(status != null && { status }),
  };
}

/** Removes the document, its chunks and its pending work; the file follows by a job. Throws `NOT_FOUND`. */
export async function deleteDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  return transaction(context, async (context) => {
    const document = await findDocument(context, project, input.id);
    const { count } = await context.db.document.deleteMany({
      where: { id: document.id, projectId: project.id },
    });
    if (count === 0) throw notFound('Document');
    await freeStorage(context.db, project.organizationId, Number(document.sizeBytes));
    const key = storageKey(project.id, document.id);
    await context.queue.enqueue(context.db, 'remove-file', { key });
    return document;
  });
}

/** Orders the ingestion of a failed document again. Throws `VALIDATION_FAILED` for one that has not failed. */
export async function retryDocument(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
): Promise<Document> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const { id } = await findDocument(context, project, input.id);
  return transaction(context, async ({ db, queue }) => {
    const { count } = await db.document.updateMany({
      where: { id, projectId: project.id, status: 'FAILED' },
      data: { status: 'PROCESSING', errorCode: null, errorMessage: null, processedAt: null },
    });
    if (count === 0) {
      throw new DomainError('VALIDATION_FAILED', 'documentId must name a document that has failed');
    }
    await queue.enqueue(db, 'ingest-document', { projectId: project.id, documentId: id });
    return db.document.findFirstOrThrow({ where: { id, projectId: project.id } });
  });
}

async function findDocument(
  context: Context,
  project: Project,
  id: string,
  query: Prisma.DocumentDefaultArgs = {},
): Promise<Document> {
  const where = { id, projectId: project.id };
  const document = isId(id) ? await context.db.document.findFirst({ ...query, where }) : null;
  if (document === null) throw notFound('Document');
  return document;
}
