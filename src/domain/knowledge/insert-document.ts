import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { claimSteps, claimValues, requireHeldClaim } from '../idempotency/idempotent-effect.ts';
import type { Project } from '../organizations/find-project.ts';
import { getOrganizationUploadLimitBytes, uploadLimitSql } from '../upload-limit.ts';
import { consumeStorageSteps, storageQuotaExceeded } from '../usage/storage-quota.ts';
import type { DocumentContent } from './document-content.ts';
import type { DocumentDetails } from './document-details.ts';
import { waitingDocumentsSql } from './ingestion/enqueue-ingestion.ts';
import { ingestDocumentJobType } from './ingestion/ingest-document-job-type.ts';
import { firstWithContentSql, type WrittenDocument } from './written-document.ts';

export interface NewDocument extends Omit<DocumentContent, 'file'>, Partial<DocumentDetails> {
  readonly id: string;
  /** Id of the source that keeps the document up to date. */
  readonly sourceId?: string | null;
}

/**
 * Inserts a document with one SQL statement, which also consumes storage quota, enqueues the ingestion and records the
 * document as the effect of the request's `Idempotency-Key`.
 *
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE when another process has taken over the request. Nothing is stored.
 * @throws DomainError PAYLOAD_TOO_LARGE when the document exceeds the plan's upload limit. Nothing is stored.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up. Nothing is stored.
 */
export async function insertDocument(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  input: NewDocument,
): Promise<WrittenDocument> {
  const { pool, queue, claimedKey } = context;
  const { id, name, sourceType, mimeType, contentHash, sizeBytes } = input;
  const { externalId = null, metadata = {}, sourceUrl = null, tags = [], sourceId = null } = input;
  const createdAt = new Date();
  const step = await queue.enqueueStep(
    ingestDocumentJobType,
    { projectId: project.id, documentId: id },
    { group: project.organizationId },
  );
  const statement =
    claimedKey === null
      ? {
          name: 'insert-document',
          text: step.build(steps({ lock: '', record: '' }), jobsSql, columns),
        }
      : { name: 'insert-document-once', text: step.build(steps(claim), jobsSql, columns) };
  const [stored] = await runSql<{ duplicateOf: string | null }>(pool, statement, [
    step.jobs,
    id,
    project.id,
    project.organizationId,
    name,
    sourceType,
    mimeType,
    sizeBytes,
    contentHash,
    createdAt.toISOString(),
    externalId,
    JSON.stringify(metadata),
    sourceUrl,
    tags,
    sourceId,
    ...(claimedKey === null ? [] : claimValues(claimedKey)),
  ]);
  if (stored === undefined) throw await refusalOf(context, project, sizeBytes);
  return {
    ...notProcessed,
    ...{ id, projectId: project.id, name, sourceType, mimeType, contentHash },
    language: null,
    ...{ externalId, metadata: { ...metadata }, sourceUrl, tags: [...tags], sourceId },
    sizeBytes: BigInt(sizeBytes),
    createdAt,
    updatedAt: createdAt,
    outcome: 'CREATED',
    duplicateOf: stored.duplicateOf,
  };
}

const notProcessed = {
  status: 'PROCESSING',
  chunkCount: 0,
  tokenCount: 0,
  attempt: 0,
  errorCode: null,
  errorMessage: null,
  waitingSince: null,
  loneFailures: 0,
  waitingReason: null,
  processedAt: null,
  version: 1,
  fileId: null,
  publishedVersion: null,
  publishedName: null,
  warnings: [],
  blockSpans: 0,
  isDuplicateKept: false,
  deletedAt: null,
} satisfies Partial<WrittenDocument>;

/** Returns the error that explains why the statement has stored nothing. */
async function refusalOf(
  context: Context,
  project: Pick<Project, 'organizationId'>,
  sizeBytes: number,
): Promise<DomainError> {
  await requireHeldClaim(context);
  const limit = await getOrganizationUploadLimitBytes(context, project.organizationId);
  if (sizeBytes <= limit) return storageQuotaExceeded(sizeBytes);
  return new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The document exceeds the plan's limit of ${limit} bytes`,
  );
}

const claim = claimSteps(16, { effect: 'document', effectIdSql: 'document.id' });

/**
 * Parameters: $1 job, $2 id, $3 project, $4 organization, $5 name, $6 source type, $7 MIME type, $8 bytes, $9 hash, $10
 * time of creation, $11 external id, $12 metadata, $13 source URL, $14 tags, $15 source, from $16 on the claimed key.
 */
function steps({ lock, record }: { readonly lock: string; readonly record: string }): string {
  const isClaimed = lock === '' ? '' : ' and exists (select from claim)';
  return `${lock}${consumeStorageSteps({
    organizationSql: '$4::uuid',
    bytesSql: '$8::bigint',
    conditionSql: `$8::bigint <= ${uploadLimitSql('$4::uuid')}${isClaimed}`,
  })}, same_content as (
    ${firstWithContentSql({ projectId: '$3::uuid', contentHash: '$9::text', not: '$2::uuid' })}
  ), document as (
    insert into grounded.documents
      (id, project_id, name, source_type, mime_type, size_bytes, content_hash, created_at, updated_at,
       external_id, metadata, source_url, tags, source_id)
    select $2::uuid, $3::uuid, $5::text, $6::grounded.document_source_type, $7::text, $8::bigint, $9::text,
      $10::timestamptz, $10::timestamptz, $11::text, $12::jsonb, $13::text, $14::text[], $15::uuid
    from consumed
    returning id
  )${record}`;
}

const columns = { duplicateOf: '(select id from same_content)' };

/** Inserts the job. The more documents of the project are waiting, the lower is the priority of the job. */
const jobsSql = `
  select jsonb_set($1::text::jsonb, '{0,priority}', to_jsonb(-1 - ${waitingDocumentsSql('$3::uuid')})) from document`;
