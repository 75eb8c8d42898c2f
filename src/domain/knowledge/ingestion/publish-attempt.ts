import type { ExtractWarning } from '../../../extract/extracted-text.ts';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../../context.ts';
import { publishWebhookEvent } from '../../webhooks/publish-webhook-event.ts';
import { requireServingModel } from './embedding-model-row.ts';
import { type ChunkBatch, insertChunks } from './insert-chunks.ts';
import type { IngestionAttempt } from './start-attempt.ts';

export interface Published {
  /** Whether hidden chunks of an earlier attempt can now be removed. */
  readonly hasHiddenChunks: boolean;
  /** Whether other documents of the project are waiting for their ingestion. */
  readonly hasWaitingDocuments: boolean;
}

/**
 * Stores the last chunks of an attempt and publishes all its chunks, in one short transaction. The document becomes
 * READY, searches find the chunks, and the chunks of earlier attempts become hidden. Returns null if the document was
 * deleted or a later attempt has started.
 *
 * @throws DomainError CONFLICT when the active embedding model has changed. The job is then retried.
 */
export async function publishAttempt(
  context: Context,
  attempt: IngestionAttempt,
  serving: ServingEmbedding,
  contents: {
    readonly last: ChunkBatch;
    readonly chunks: number;
    readonly tokens: number;
    readonly warnings: readonly ExtractWarning[];
  },
): Promise<Published | null> {
  const { id: documentId, projectId, organizationId, name } = attempt;
  const { last, chunks: chunkCount, tokens: tokenCount } = contents;
  return transaction(context, async (context) => {
    const { db } = context;
    const modelId = await requireServingModel(db, serving, last.vectors, { locks: true });
    if (!(await insertChunks(db, last, modelId))) return null;
    const now = new Date();
    const [published] = await runSql<Published>(db, publishStatement, [
      projectId,
      documentId,
      attempt.attempt,
      chunkCount,
      tokenCount,
      now.toISOString(),
      attempt.version,
      name,
      JSON.stringify(contents.warnings),
    ]);
    if (published === undefined) return null;
    const processedAt = now.toISOString();
    const ids = { organizationId, projectId, documentId };
    const data = { ...ids, name, chunkCount, tokenCount, processedAt };
    await publishWebhookEvent(context, { projectId, type: 'document.ready', data });
    return published;
  });
}

const publishStatement = `
  with published as (
    update grounded.documents
    set status = 'READY', chunk_count = $4::int, token_count = $5::int, error_code = null, error_message = null,
      processed_at = $6::timestamptz, updated_at = $6::timestamptz, waiting_since = null, waiting_reason = null,
      lone_failures = 0,
      published_version = $7::int, published_name = $8::text, warnings = $9::jsonb
    where project_id = $1::uuid and id = $2::uuid and attempt = $3::int and status = 'PROCESSING'
    returning project_id, id
  ), shown as (
    delete from grounded.hidden_chunks h using published p
    where h.project_id = p.project_id and h.document_id = p.id and h.attempt = $3::int
  ), hidden as (
    insert into grounded.hidden_chunks (project_id, document_id, attempt, chunks)
    select c.project_id, c.document_id, c.attempt, count(*)::int
    from published p join grounded.chunks c on c.project_id = p.project_id and c.document_id = p.id
    where c.attempt <> $3::int group by 1, 2, 3
    on conflict (project_id, document_id, attempt) do nothing
  )
  select
    exists (select from grounded.chunks c
      where c.project_id = $1::uuid and c.document_id = $2::uuid and c.attempt <> $3::int) as "hasHiddenChunks",
    exists (select from grounded.documents d
      where d.project_id = $1::uuid and d.status = 'PROCESSING' and d.id <> $2::uuid) as "hasWaitingDocuments"
  from published`;
