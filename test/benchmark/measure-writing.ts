import type { Pool } from 'pg';
import { newId } from '../../src/platform/ids.ts';
import { replaceChunks } from '../support/database/replace-chunks.ts';
import { pick, type Random } from '../support/seeded-random.ts';
import type { ClusteredVectors } from './clustered-vectors.ts';
import type { Passage } from './generated-passages.ts';
import type { GeneratedProject } from './load-projects.ts';

const chunksPerDocument = 100;
const documentCount = 10;

/** Measures the time to publish and to delete documents of 100 chunks, in milliseconds per chunk. */
export async function measureWriting(
  pool: Pool,
  modelId: number,
  project: GeneratedProject,
  source: { random: Random; vectors: ClusteredVectors; passages: readonly Passage[] },
): Promise<{ publishMs: number; deleteMs: number }> {
  const { random } = source;
  const ids: string[] = [];
  let [publishMs, deleteMs] = [0, 0];
  for (let n = 0; n < documentCount; n += 1) {
    const documentId = newId();
    ids.push(documentId);
    await pool.query(addDocumentSql, [documentId, project.id, chunksPerDocument]);
    const chosen = Array.from({ length: chunksPerDocument }, () => pick(random, source.passages));
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
        blocks: `p0,${content.length}`,
      })),
      vectors: chosen.map(() => source.vectors.draw(pick(random, project.clusters), random)),
    };
    const startedAt = performance.now();
    await replaceChunks(pool, input);
    publishMs += performance.now() - startedAt;
  }
  for (const id of ids) {
    const startedAt = performance.now();
    await pool.query('delete from grounded.documents where id = $1', [id]);
    deleteMs += performance.now() - startedAt;
  }
  const chunks = documentCount * chunksPerDocument;
  return { publishMs: publishMs / chunks, deleteMs: deleteMs / chunks };
}

const addDocumentSql = `
  insert into grounded.documents
    (id, project_id, name, status, source_type, mime_type, size_bytes, content_hash, chunk_count)
  values ($1, $2, 'Handbook.pdf', 'READY', 'TEXT', 'text/plain', 1, '', $3)`;
