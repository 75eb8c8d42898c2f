import type { Context } from '../context.ts';
import { isId } from '../ids.ts';
import { getDocument } from './documents.ts';

/** A piece of a document as the assistant finds it. */
export interface DocumentChunk {
  readonly id: string;
  /** Counts from 0. */
  readonly position: number;
  /** Of a PDF, counting from 1. */
  readonly page: number | null;
  readonly content: string;
  readonly tokenCount: number;
}

export interface ChunkRange {
  readonly projectId: string;
  readonly documentId: string;
  /** Begins shortly before this chunk, if the document has it. */
  readonly around?: string | null;
  /** The positions between which they stand, both excluded. */
  readonly after?: number;
  readonly before?: number;
  readonly limit: number;
  /** The last ones first. */
  readonly isInverted: boolean;
}

/** How many chunks are shown before the one that is looked for. */
const lead = 2;

/** Chunks of a document, by their position. Throws `NOT_FOUND` for the document. */
export async function listDocumentChunks(
  context: Context,
  range: ChunkRange,
): Promise<DocumentChunk[]> {
  const { projectId, documentId: id, isInverted, limit, before } = range;
  const document = await getDocument(context, { projectId, id });
  const around = isId(range.around ?? '') ? range.around : null;
  const { rows } = await context.pool.query<DocumentChunk>(
    `select id, position, page, content, token_count as "tokenCount" from grounded.chunks
     where project_id = $1 and document_id = $2
       and position > coalesce($3, (
         select position - $4 - 1 from grounded.chunks
         where project_id = $1 and document_id = $2 and id = $5), -1)
       and ($6::int is null or position < $6)
     order by position ${isInverted ? 'desc' : 'asc'}
     limit $7`,
    [document.projectId, id, range.after ?? null, lead, around, before ?? null, limit],
  );
  return rows;
}
