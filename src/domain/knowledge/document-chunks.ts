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
  /** Begins shortly before this chunk, if the document has it. Not with the others. */
  readonly around?: string | null;
  /** The chunks between which they stand, both excluded; nothing stands beside one that is gone. */
  readonly after?: string | null;
  readonly before?: string | null;
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
  const { projectId, documentId: id, isInverted, limit, after = null, before = null } = range;
  const document = await getDocument(context, { projectId, id });
  const isAround = after === null && before === null && isId(range.around ?? '');
  const { rows } = await context.pool.query<DocumentChunk>(
    `with place as materialized (
       select id, position from grounded.chunks
       where project_id = $1 and document_id = $2 and id in ($3, $4, $5)
     )
     select id, position, page, content, token_count as "tokenCount" from grounded.chunks
     where project_id = $1 and document_id = $2
       and ($3::uuid is null or position > (select position from place where id = $3))
       and ($4::uuid is null or position < (select position from place where id = $4))
       and position >= coalesce((select position - $6::int from place where id = $5), 0)
     order by position ${isInverted ? 'desc' : 'asc'}
     limit $7`,
    [document.projectId, id, after, before, isAround ? range.around : null, lead, limit],
  );
  return rows;
}
