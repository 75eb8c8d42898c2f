import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { getDocument } from './documents.ts';

/** A part of a document's text. Retrieval searches and returns chunks. */
export interface DocumentChunk {
  readonly id: string;
  /** Position in reading order, from 0. */
  readonly position: number;
  /** Page of a PDF or slide of a presentation, from 1. Null for other formats. */
  readonly page: number | null;
  readonly content: string;
  /** Headings above the chunk, joined by ` › `. See `Chunk` in `src/extract/chunks/chunk-text.ts`. May be empty. */
  readonly context: string;
  readonly tokenCount: number;
}

export interface ListDocumentChunksInput {
  readonly projectId: string;
  readonly documentId: string;
  /**
   * Id of a chunk. The list starts `chunksBeforeTarget` chunks before that chunk. Ignored if the chunk does not exist,
   * or if `after` or `before` is given.
   */
  readonly around?: string | null;
  /**
   * Page or slide, from 1. The list starts at the first chunk on this page or a later page. Ignored if another field
   * defines the start. The result is empty if the document has no such page.
   */
  readonly page?: number | null;
  /** Positions of two chunks. Lists the chunks between them, without these two. */
  readonly after?: number | null;
  readonly before?: number | null;
  readonly limit: number;
  /** If true, sorts by descending position. */
  readonly isInverted: boolean;
}

const columns = 'id, position, page, content, context, token_count as "tokenCount"';

/** Number of chunks listed before the chunk `around`. */
const chunksBeforeTarget = 2;

/**
 * Returns chunks of a document, sorted by position.
 *
 * @throws DomainError from `getDocument`.
 */
export async function listDocumentChunks(
  context: Context,
  range: ListDocumentChunksInput,
): Promise<DocumentChunk[]> {
  const { projectId, documentId: id, isInverted, limit, after = null, before = null } = range;
  const document = await getDocument(context, { projectId, id });
  const isFirst = after === null && before === null;
  const around = isFirst && isId(range.around ?? '') ? (range.around ?? null) : null;
  const page = isFirst && around === null ? (range.page ?? null) : null;
  return runSql<DocumentChunk>(
    context.pool,
    `with boundary as materialized (
       select id, position from grounded.published_chunks
       where project_id = $1 and document_id = $2 and id = $5
     )
     select ${columns} from grounded.published_chunks
     where project_id = $1 and document_id = $2
       and ($3::int is null or position > $3)
       and ($4::int is null or position < $4)
       and position >= coalesce((select position - $6::int from boundary), 0)
       and ($8::int is null or page >= $8)
     order by position ${isInverted ? 'desc' : 'asc'}
     limit $7`,
    [document.projectId, id, after, before, around, chunksBeforeTarget, limit, page],
  );
}

/**
 * Returns one chunk.
 *
 * @throws DomainError NOT_FOUND if the project has no such chunk, and errors from `getDocument`.
 */
export async function getDocumentChunk(
  context: Context,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<DocumentChunk> {
  const [found] = await runSql<DocumentChunk & { readonly documentId: string }>(
    context.pool,
    `select ${columns}, document_id as "documentId" from grounded.published_chunks where project_id = $1 and id = $2`,
    [projectId, id],
  );
  if (found === undefined) throw notFound('Chunk');
  await getDocument(context, { projectId, id: found.documentId });
  return found;
}
