import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { getDocument } from './documents.ts';

/** The extracted text of a document, in which searches find their results. */
export interface DocumentText {
  /** The offsets of chunks and citations are positions in this text. They count Unicode code points. */
  readonly text: string;
  /**
   * Version of the document from which the text comes. While a replacement is processed, this is the version before it.
   */
  readonly version: number;
}

/**
 * Returns the extracted text of a document. Joins its published chunks, which contain every word of the text and do not
 * overlap. White space between two chunks is replaced by line breaks.
 *
 * @throws DomainError from `getDocument`.
 * @throws DomainError CONFLICT when no version of the document was processed yet.
 */
export async function getDocumentText(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
): Promise<DocumentText> {
  const { projectId, id } = await getDocument(context, input);
  const chunks = await runSql<TextChunk>(context.pool, readChunks, [projectId, id]);
  const [first] = chunks;
  if (first === undefined) {
    throw new DomainError('CONFLICT', 'The document has no text yet: wait until it is READY');
  }
  return { text: joinChunks(chunks), version: first.version };
}

interface TextChunk {
  readonly version: number;
  readonly content: string;
  readonly startOffset: number;
  readonly endOffset: number;
}

function joinChunks(chunks: readonly TextChunk[]): string {
  let end = 0;
  const parts: string[] = [];
  for (const { content, startOffset, endOffset } of chunks) {
    parts.push('\n'.repeat(Math.max(0, startOffset - end)), content);
    end = endOffset;
  }
  return parts.join('');
}

/** One statement, so that the chunks and their version belong to the same publication. */
const readChunks = `
  select d.published_version as version, c.content, c.start_offset as "startOffset", c.end_offset as "endOffset"
  from grounded.documents d
  join grounded.published_chunks c on c.project_id = d.project_id and c.document_id = d.id
  where d.project_id = $1::uuid and d.id = $2::uuid and d.published_version is not null
  order by c.position`;
