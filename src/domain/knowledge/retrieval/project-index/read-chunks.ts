import type { Pool } from 'pg';
import { runSql } from '../../../../platform/postgres/run-sql.ts';
import { type IndexedChunk, maxFrequency } from './project-index.ts';

/** A chunk with its position in the reading order. */
export interface ReadChunk extends IndexedChunk {
  readonly position: number;
  readonly attempt: number;
}

/** Number of chunks per statement. A batch takes about 20 ms in the database, and 5 ms in this process. */
const batchSize = 200;

/**
 * Yields the published chunks of a project in batches, document by document. With document ids, yields only the chunks
 * of these documents. Omits the project's own term.
 */
export async function* readChunks(
  pool: Pool,
  { projectId, modelId }: { readonly projectId: string; readonly modelId: number | null },
  documentIds: readonly string[] | null = null,
): AsyncGenerator<readonly ReadChunk[]> {
  let last: Pick<ReadChunk, 'documentId' | 'position' | 'attempt'> = beforeAll;
  for (;;) {
    const rows = await runSql<Row>(pool, documentIds === null ? readAllChunks : readSomeChunks, [
      projectId,
      modelId,
      last.documentId,
      last.position,
      last.attempt,
      ...(documentIds === null ? [] : [documentIds]),
    ]);
    const chunks = rows.map(({ terms, vector, ...row }) => ({
      ...row,
      ...parseTerms(terms),
      vector: vector === null ? null : parseVector(vector),
    }));
    yield chunks;
    if (chunks.length < batchSize) return;
    last = chunks.at(-1) ?? last;
  }
}

interface Row extends Omit<ReadChunk, 'terms' | 'frequencies' | 'vector'> {
  readonly terms: Uint8Array;
  readonly vector: Uint8Array | null;
}

const beforeAll = {
  documentId: '00000000-0000-0000-0000-000000000000',
  position: -1,
  attempt: -1,
};

/**
 * Parameters: $1 project, $2 model, $3 document, $4 position and $5 attempt of the last chunk, $6 documents.
 *
 * Limits the chunks first, and then looks up each vector by the primary key. The `+` keeps Postgres from the index of
 * project and model. Until the tables have statistics, for example in the first minute after a large upload, Postgres
 * expects few vectors per project. With a join, it then compares every chunk of the project with every vector: 25 s per
 * batch for 8,000 chunks, instead of 15 ms.
 */
const readSql = (condition: string) => `
  select c.id, c.document_id as "documentId", c.position, c.attempt, c.length, tsvectorsend(c.terms) as terms,
    (select grounded.vector_bytes(v.embedding) from grounded.chunk_vectors v
      where v.project_id = $1::uuid and v.chunk_id = c.id and +v.model_id = $2::smallint) as vector
  from (
    select * from grounded.published_chunks c
    where c.project_id = $1::uuid and (c.document_id, c.position, c.attempt) > ($3::uuid, $4::int, $5::int) ${condition}
    order by c.document_id, c.position, c.attempt limit ${batchSize}
  ) c
  order by c.document_id, c.position, c.attempt`;

export const readAllChunks = { name: 'read-chunks-of-index', text: readSql('') };
const readSomeChunks = {
  name: 'read-chunks-of-documents-of-index',
  text: readSql('and c.document_id = any ($6::uuid[])'),
};

/**
 * Parses the binary form of a `tsvector`. It contains the number of terms and, for each term, its text, a zero byte and
 * its 16-bit positions.
 */
function parseTerms(bytes: Uint8Array): Pick<IndexedChunk, 'terms' | 'frequencies'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const terms: string[] = [];
  const frequencies: number[] = [];
  let at = 4;
  for (let n = buffer.readInt32BE(0); n > 0; n -= 1) {
    const end = buffer.indexOf(0, at);
    const positions = buffer.readUInt16BE(end + 1);
    // Omit the project's own term, which is the only term without positions (see `chunkTerms`).
    if (positions > 0) {
      terms.push(buffer.toString('utf8', at, end));
      frequencies.push(Math.min(positions, maxFrequency));
    }
    at = end + 3 + 2 * positions;
  }
  return { terms, frequencies };
}

/** Parses the binary form of a vector: 16 bits with its size, 16 unused bits, and single-precision numbers. */
function parseVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getInt16(0));
  for (let n = 0; n < vector.length; n += 1) vector[n] = view.getFloat32(4 + 4 * n);
  return vector;
}
