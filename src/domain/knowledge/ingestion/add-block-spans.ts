import type { Chunk } from '../../../extract/chunks/chunk-text.ts';
import { ExtractError } from '../../../extract/extracted-text.ts';
import { defineJob, noPayload, scheduledQueue } from '../../../platform/jobs/job.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import { blockSpansVersion } from '../../../text/block-spans.ts';
import type { Adapters } from '../../context.ts';
import { extractDocument, type StoredDocument } from './extract-document.ts';
import { maxBatchChunks } from './insert-chunks.ts';
import { type IngestionAttempt, ocrColumn } from './start-attempt.ts';

export const addBlockSpansJob = defineJob({
  name: 'add-block-spans',
  payload: noPayload,
  queue: { ...scheduledQueue, expireInSeconds: 1800 },
  schedule: '*/10 * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => addBlockSpans(adapters, signal),
});

/** Maximum duration of one run. The next scheduled run continues. */
const maxRunMs = 9 * 60 * 1000;

type Used = Pick<Adapters, 'pool' | 'storage' | 'extractor' | 'log'>;

/**
 * Adds their blocks to the chunks that an earlier version of the service stored. Reads the stored files again, one after
 * the other, and changes neither texts nor vectors. A chunk that would be cut otherwise today keeps no blocks until its
 * document is processed again.
 *
 * @throws the signal's reason when it aborts.
 */
export async function addBlockSpans(adapters: Used, signal: AbortSignal): Promise<void> {
  const end = performance.now() + maxRunMs;
  let after: string | null = null;
  let documents: readonly OldDocument[];
  do {
    documents = await runSql<OldDocument>(adapters.pool, findDocuments, [blockSpansVersion, after]);
    for (const document of documents) {
      signal.throwIfAborted();
      if (performance.now() > end) return;
      after = document.id;
      await addToDocument(adapters, document, signal);
    }
  } while (documents.length > 0);
}

type OldDocument = StoredDocument & Pick<IngestionAttempt, 'attempt'>;

/** If the file cannot be read now, leaves the document for the next run. */
async function addToDocument(
  adapters: Used,
  document: OldDocument,
  signal: AbortSignal,
): Promise<void> {
  const { pool, log } = adapters;
  const { id, projectId, attempt } = document;
  try {
    const chunks = await readChunks(adapters, document, signal);
    for (let from = 0; from < chunks.length; from += maxBatchChunks) {
      const batch = chunks.slice(from, from + maxBatchChunks);
      const columns = [
        batch.map(({ position }) => position),
        batch.map(({ content }) => content),
        batch.map(({ blocks }) => blocks),
      ];
      await runSql(pool, updateChunks, [projectId, id, attempt, ...columns]);
    }
    await runSql(pool, updateDocument, [projectId, id, attempt, blockSpansVersion]);
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, documentId: id, projectId }, 'could not add the blocks of a document');
  }
}

/** Returns no chunks if the file can never be read. */
async function readChunks(
  adapters: Used,
  document: OldDocument,
  signal: AbortSignal,
): Promise<readonly Chunk[]> {
  try {
    return (await extractDocument({ ...adapters, signal }, document)).chunks;
  } catch (error) {
    if (error instanceof ExtractError) return [];
    throw error;
  }
}

/** Selects documents of all tenants, because all use the same version of the service. */
const findDocuments = `
  select d.id, d.project_id as "projectId", p.organization_id as "organizationId", d.file_id as "fileId", d.attempt,
    d.mime_type as "mimeType", d.size_bytes::float8 as "sizeBytes",
    ${ocrColumn}
  from grounded.documents d join grounded.projects p on p.id = d.project_id
  where d.status = 'READY' and d.block_spans < $1::int and d.deleted_at is null
    and ($2::uuid is null or d.id > $2::uuid)
  order by d.id limit 20`;

const updateChunks = `
  update grounded.chunks c set blocks = t.blocks
  from unnest($4::int[], $5::text[], $6::text[]) as t (position, content, blocks)
  where c.project_id = $1::uuid and c.document_id = $2::uuid and c.attempt = $3::int
    and c.position = t.position and c.content = t.content and c.blocks is distinct from t.blocks`;

/** A document that is processed in the meantime gets its blocks from its new attempt. */
const updateDocument = `
  update grounded.documents set block_spans = $4::int
  where project_id = $1::uuid and id = $2::uuid and attempt = $3::int and status = 'READY'`;
