import type { OcrSettings } from '../../../extract/ocr/ocr-settings.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';

export interface DocumentRef {
  readonly projectId: string;
  readonly documentId: string;
}

/** A document that is being ingested, with the number of the attempt. */
export interface IngestionAttempt {
  readonly id: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly fileId: string | null;
  readonly attempt: number;
  readonly version: number;
  readonly ocr: OcrSettings;
  /** Name of the document in the chunks that searches find. Null before the first publication. */
  readonly publishedName: string | null;
  readonly waitingSince: Date | null;
  /** Number of earlier attempts that failed although the model could embed other documents. */
  readonly loneFailures: number;
  /** Time of the latest change of the document, for example by the previous attempt. */
  readonly changedAt: Date;
  /** Whether an earlier attempt has left hidden chunks. */
  readonly hasHiddenChunks: boolean;
}

/** Starts the next attempt to ingest a document. Returns null if the document is deleted or already processed. */
export async function startAttempt(
  { pool }: Pick<Context, 'pool'>,
  { projectId, documentId }: DocumentRef,
): Promise<IngestionAttempt | null> {
  const [attempt] = await runSql<IngestionAttempt>(pool, startStatement, [projectId, documentId]);
  return attempt ?? null;
}

/**
 * Returns a document whose next attempt could not be started. Returns null if the document is deleted or already
 * processed.
 */
export async function findWaitingAttempt(
  { pool }: Pick<Context, 'pool'>,
  { projectId, documentId }: DocumentRef,
): Promise<IngestionAttempt | null> {
  const [attempt] = await runSql<IngestionAttempt>(pool, findStatement, [projectId, documentId]);
  return attempt ?? null;
}

/** SQL for the OCR settings of a document whose project is `p`. */
export const ocrColumn =
  "jsonb_build_object('mode', p.ocr_mode, 'languages', p.ocr_languages, 'pages', p.ocr_pages) as ocr";

const columns = `
    d.id, d.project_id as "projectId", p.organization_id as "organizationId", d.name, d.mime_type as "mimeType",
    d.size_bytes::float8 as "sizeBytes", d.attempt, d.version, d.file_id as "fileId",
    d.published_name as "publishedName", d.waiting_since as "waitingSince", d.lone_failures as "loneFailures",
    earlier.updated_at as "changedAt",
    ${ocrColumn},
    exists (select from grounded.hidden_chunks h
      where h.project_id = d.project_id and h.document_id = d.id) as "hasHiddenChunks"`;

const startStatement = {
  name: 'start-ingestion-attempt',
  text: `
  update grounded.documents d set attempt = d.attempt + 1, updated_at = now()
  from grounded.projects p, grounded.documents earlier
  where d.project_id = $1::uuid and d.id = $2::uuid and d.status = 'PROCESSING' and p.id = d.project_id
    and earlier.project_id = $1::uuid and earlier.id = $2::uuid
  returning ${columns}`,
};

const findStatement = `
  select ${columns}
  from grounded.documents d join grounded.projects p on p.id = d.project_id
    join grounded.documents earlier on earlier.id = d.id and earlier.project_id = d.project_id
  where d.project_id = $1::uuid and d.id = $2::uuid and d.status = 'PROCESSING'`;
