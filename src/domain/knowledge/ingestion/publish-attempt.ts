import type { ExtractWarning } from '../../../extract/extracted-text.ts';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { DomainError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { blockSpansVersion } from '../../../text/block-spans.ts';
import type { Language } from '../../../text/detect-language.ts';
import { type Context, transaction } from '../../context.ts';
import { publishWebhookEvent } from '../../webhooks/publish-webhook-event.ts';
import { requireServingModel } from './embedding-model-row.ts';
import { type ChunkBatch, chunkSteps, chunkValues } from './insert-chunks.ts';
import type { IngestionAttempt } from './start-attempt.ts';

export interface Published {
  /** Whether hidden chunks of an earlier attempt can now be removed. */
  readonly hasHiddenChunks: boolean;
  /** Whether other documents of the project are waiting for their ingestion. */
  readonly hasWaitingDocuments: boolean;
}

/**
 * Stores the last chunks of an attempt and publishes all its chunks, with one SQL statement. The document becomes READY,
 * searches find the chunks, and the chunks of earlier attempts become hidden. The statement also stores the event
 * `document.ready`. If a webhook endpoint subscribes to it, a transaction adds the deliveries. Returns null if the
 * document was deleted or a later attempt has started.
 *
 * @throws DomainError CONFLICT when the active embedding model has changed. The job is then retried.
 * @throws DomainError MODEL_ERROR when the vectors have too many dimensions, or not as many as the stored vectors.
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
    /** Language of the text. Null if it is not clear. */
    readonly language: Language | null;
  },
): Promise<Published | null> {
  const { id: documentId, projectId, organizationId, name } = attempt;
  const { last, chunks: chunkCount, tokens: tokenCount, warnings } = contents;
  const { pool } = context;
  const activeId = serving.id ?? (await requireServingModel(pool, serving, last.vectors));
  const processedAt = new Date().toISOString();
  const ids = { organizationId, projectId, documentId };
  const data = { ...ids, name, chunkCount, tokenCount, processedAt };
  const values = [
    ...chunkValues(last, serving.model && activeId),
    activeId,
    chunkCount,
    tokenCount,
    processedAt,
    attempt.version,
    name,
    JSON.stringify(warnings),
    JSON.stringify(data),
  ];
  const publish = async (db: SqlClient, eventId: string | null) => {
    const [outcome] = await runSql<Outcome>(db, publishStatement, [
      ...values,
      eventId,
      contents.language,
    ]);
    if (outcome?.isServing) return outcome;
    throw new DomainError('CONFLICT', 'The active embedding model has changed');
  };
  const outcome = await publish(pool, newId());
  if (!outcome.hasSubscribers) return outcome.published;
  return transaction(context, async (context) => {
    const { published } = await publish(context.db, null);
    if (published === null) return null;
    await publishWebhookEvent(context, { projectId, type: 'document.ready', data });
    return published;
  });
}

interface Outcome {
  /** Whether the model that was used is the active model. If not, nothing is stored. */
  readonly isServing: boolean;
  /** Whether endpoints subscribe to the event. If so, and if the event has an id, nothing is stored. */
  readonly hasSubscribers: boolean;
  /** Null if nothing is stored. */
  readonly published: Published | null;
}

/**
 * Parameters: $1 to $16 the last chunks (`chunkValues`), $17 active model, $18 number of chunks, $19 tokens, $20
 * time, $21 version, $22 name, $23 warnings, $24 data of the event, $25 id of the event, or null to store no event, $26
 * language.
 *
 * The lock on the active model ends with the transaction, so `reindex` misses no chunk.
 */
const publishStatement = {
  name: 'publish-document',
  keepsPlan: true,
  text: `
  with active as materialized (
    select id from grounded.embedding_models where status = 'ACTIVE' for share
  ), state as materialized (
    select (select id from active) is not distinct from $17::smallint as is_serving,
      $25::uuid is not null and exists (select from grounded.webhook_endpoints
        where project_id = $1::uuid and disabled_at is null and 'document.ready' = any (types)) as has_subscribers
  ), current as materialized (
    select document.id from grounded.documents document, state
    where document.project_id = $1::uuid and document.id = $2::uuid and document.attempt = $3::int
      and document.status = 'PROCESSING' and is_serving and not has_subscribers
    for no key update of document
  ), ${chunkSteps}, published as (
    update grounded.documents document
    set status = 'READY', chunk_count = $18::int, token_count = $19::int, error_code = null, error_message = null,
      processed_at = $20::timestamptz, updated_at = $20::timestamptz, waiting_since = null, waiting_reason = null,
      lone_failures = 0, published_version = $21::int, published_name = $22::text, warnings = $23::jsonb,
      block_spans = ${blockSpansVersion}, language = $26::text
    from current
    where document.project_id = $1::uuid and document.id = current.id
    returning document.project_id, document.id
  ), shown as (
    delete from grounded.hidden_chunks h using published p
    where h.project_id = p.project_id and h.document_id = p.id and h.attempt = $3::int
  ), hidden as (
    insert into grounded.hidden_chunks (project_id, document_id, attempt, chunks)
    select c.project_id, c.document_id, c.attempt, count(*)::int
    from published p join grounded.chunks c on c.project_id = p.project_id and c.document_id = p.id
    where c.project_id = $1::uuid and c.attempt <> $3::int group by 1, 2, 3
    on conflict (project_id, document_id, attempt) do nothing
  ), event as (
    insert into grounded.webhook_events (id, project_id, type, data)
    select $25::uuid, project_id, 'document.ready', $24::jsonb from published where $25::uuid is not null
  )
  select is_serving as "isServing", has_subscribers as "hasSubscribers",
    (select json_build_object(
      'hasHiddenChunks', exists (select from grounded.chunks c
        where c.project_id = $1::uuid and c.document_id = $2::uuid and c.attempt <> $3::int),
      'hasWaitingDocuments', exists (select from grounded.documents d
        where d.project_id = $1::uuid and d.status = 'PROCESSING' and d.id <> $2::uuid)) from published) as published
  from state`,
};
