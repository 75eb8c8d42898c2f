import type { Pool } from 'pg';
import { newId } from '../../src/domain/ids.ts';
import { replaceChunks } from '../../src/domain/knowledge/write-chunks.ts';
import { poolSql } from '../../src/domain/run-sql.ts';
import type { ClusteredVectors } from './clustered-vectors.ts';
import type { Passage } from './generated-passages.ts';
import type { GeneratedProject } from './load-projects.ts';
import { pick, type Random } from './seeded-random.ts';

const chunksInDocument = 100;
const documents = 10;

/** Milliseconds a chunk: publishing documents of a hundred chunks, the service's own way, and deleting them again. */
export async function measureWriting(
  pool: Pool,
  modelId: number,
  project: GeneratedProject,
  source: { random: Random; vectors: ClusteredVectors; passages: readonly Passage[] },
): Promise<{ publishMs: number; deleteMs: number }> {
  const { random } = source;
  const ids: string[] = [];
  let [publishMs, deleteMs] = [0, 0];
  for (let n = 0; n < documents; n += 1) {
    const documentId = newId();
    ids.push(documentId);
    await pool.query(ADD_DOCUMENT, [documentId, project.id, chunksInDocument]);
    const chosen = Array.from({ length: chunksInDocument }, () => pick(random, source.passages));
    const input = {
      projectId: project.id,
      documentId,
      documentName: 'Handbook.pdf',
      modelId,
      chunks: chosen.map(({ content }, position) => ({
        position,
        content,
        context: '',
        page: null,
        start: 0,
        end: content.length,
        startOffset: 0,
        endOffset: content.length,
        tokenCount: 160,
      })),
      vectors: chosen.map(() => source.vectors.draw(pick(random, project.clusters), random)),
    };
    const startedAt = performance.now();
    await replaceChunks(poolSql(pool), input);
    publishMs += performance.now() - startedAt;
  }
  for (const id of ids) {
    const startedAt = performance.now();
    await pool.query('delete from grounded.documents where id = $1', [id]);
    deleteMs += performance.now() - startedAt;
  }
  const chunks = documents * chunksInDocument;
  return { publishMs: publishMs / chunks, deleteMs: deleteMs / chunks };
}

const ADD_DOCUMENT = `
  insert into grounded.documents
    (id, project_id, name, status, source_type, mime_type, size_bytes, content_hash, chunk_count)
  values ($1, $2, 'Handbook.pdf', 'READY', 'TEXT', 'text/plain', 1, '', $3)`;
