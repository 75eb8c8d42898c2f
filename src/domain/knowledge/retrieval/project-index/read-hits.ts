import { createCallBatcher } from '../../../../platform/call-batcher.ts';
import { oncePerObject } from '../../../../platform/once-per-object.ts';
import { runSql, type SqlClient } from '../../../../platform/postgres/run-sql.ts';
import { combineReads } from '../../../../platform/replicas/replica-reads.ts';
import type { WalPosition } from '../../../../platform/replicas/wal-position.ts';
import type { Tenant } from '../../../../platform/tenancy/tenant.ts';
import type { DocumentFilter } from '../../filter/document-filter.ts';
import { filterSql } from '../../filter/filter-sql.ts';
import type { Hit } from '../hybrid-search.ts';
import type { ChunkText, ChunkTexts } from './chunk-texts.ts';
import { type ChangeList, changesSql } from './document-changes.ts';
import type { RankedChunk } from './rank-project-index.ts';

export interface ReadHits {
  /** Hits in the order of the chunks. Omits chunks that were deleted or that the caller may not read. */
  readonly hits: Hit[];
  /**
   * Changes of the project from the horizon on. If the index does not contain one of them, the hits may be outdated.
   */
  readonly changes: ChangeList;
}

export interface HitsToRead {
  readonly projectId: string;
  readonly chunks: readonly RankedChunk[];
  /** Filter that the documents must match. Null: none. */
  readonly filter: DocumentFilter | null;
  readonly horizon: string;
  /**
   * Position that a replica must have reached, so that it contains the chunks of the index. Null if no replica is used.
   */
  readonly walPosition: WalPosition | null;
}

/**
 * Reads three things with one SQL statement: the documents of the ranked chunks, the texts that are not cached, and the
 * changes of the project. Under load, several searches of a tenant share one statement.
 */
export function readHits(
  client: SqlClient,
  tenant: Tenant,
  texts: ChunkTexts,
  input: HitsToRead,
): Promise<ReadHits> {
  const { projectId, filter, horizon } = input;
  const key = `${tenant} ${projectId} ${horizon} ${JSON.stringify(filter)}`;
  return batcherOf(texts).call(key, { ...input, client });
}

const limits = { maxBatch: 20, maxRuns: 4 };

const batcherOf = oncePerObject((texts: ChunkTexts) =>
  createCallBatcher<HitsToRead & { readonly client: SqlClient }, ReadHits>(
    (inputs) => readTogether(texts, inputs),
    limits,
  ),
);

/** Reads the hits of several searches. All must have the same tenant, project, filter and horizon. */
async function readTogether(
  texts: ChunkTexts,
  inputs: readonly (HitsToRead & { readonly client: SqlClient })[],
): Promise<ReadHits[]> {
  const [first] = inputs;
  if (first === undefined) return [];
  const { projectId, filter, horizon } = first;
  const found = new Map<string, ChunkText | null>();
  const documentIds = new Set<string>();
  for (const { id, documentId } of inputs.flatMap(({ chunks }) => chunks)) {
    if (!found.has(id)) found.set(id, texts.find(projectId, id));
    documentIds.add(documentId);
  }
  const missing = [...found].flatMap(([id, text]) => (text === null ? [id] : []));
  const client = await combineReads(inputs);
  const { statement, values } = filter === null ? readAll : readMatching(filter);
  const parameters = [projectId, [...documentIds], missing, horizon, ...values];
  const rows = await runSql<Row>(client, statement, parameters);
  const documents = new Map<string, DocumentRow>();
  for (const { document, chunk } of rows.map(splitRow)) {
    if (document !== null) documents.set(document.documentId, document);
    if (chunk === null) continue;
    found.set(chunk.id, chunk.text);
    texts.add(projectId, chunk.id, chunk.text);
  }
  const changes = rows[0]?.changes ?? [];
  return inputs.map(({ chunks }) => ({ hits: hitsOf(chunks, documents, found), changes }));
}

function hitsOf(
  chunks: readonly RankedChunk[],
  documents: ReadonlyMap<string, DocumentRow>,
  texts: ReadonlyMap<string, ChunkText | null>,
): Hit[] {
  return chunks.flatMap(({ id, documentId, score, similarity, lexical }) => {
    const document = documents.get(documentId);
    const text = texts.get(id);
    if (document === undefined || text == null) return [];
    return [{ chunkId: id, ...document, ...text, score, similarity, lexical }];
  });
}

type DocumentRow = Pick<Hit, 'documentId' | 'documentName' | 'sourceUrl' | 'metadata'>;

/**
 * A document and, if the text of one of its chunks is missing in the cache, this text. If there are no documents, the
 * row contains only the changes.
 */
interface Row extends Omit<DocumentRow, 'documentId'>, ChunkText {
  readonly documentId: string | null;
  readonly chunkId: string | null;
  readonly changes: ChangeList;
}

function splitRow({ documentId, chunkId, ...row }: Row) {
  const { documentName, sourceUrl, metadata } = row;
  const { content, context, page, startOffset, endOffset, blocks } = row;
  return {
    document: documentId === null ? null : { documentId, documentName, sourceUrl, metadata },
    chunk:
      chunkId === null
        ? null
        : { id: chunkId, text: { content, context, page, startOffset, endOffset, blocks } },
  };
}

/**
 * Parameters: $1 project, $2 documents, $3 chunks whose texts are missing, $4 horizon. `documents` is a table or view,
 * and `condition` a condition on its row `d`.
 */
const readSql = (documents: string, condition: string) => `
  select v.changes, d.id as "documentId", d.name as "documentName", d.source_url as "sourceUrl", d.metadata,
    c.id as "chunkId", c.content, c.context, c.page, c.start_offset as "startOffset", c.end_offset as "endOffset",
    c.blocks
  from (select ${changesSql('$1', '$4')} as changes) v
  left join ${documents} d on d.project_id = $1::uuid and d.id = any ($2::uuid[]) and ${condition}
  left join (
    select id, document_id, content, context, page, start_offset, end_offset, blocks
    from grounded.published_chunks
    where project_id = $1::uuid and id = any ($3::uuid[]) offset 0
  ) c on c.document_id = d.id`;

const readAll = {
  statement: {
    name: 'read-ranked-chunks',
    keepsPlan: true,
    text: readSql('grounded.documents', 'true'),
  },
  values: [],
};

function readMatching(filter: DocumentFilter) {
  const { sql, values } = filterSql(filter, 4);
  return { statement: readSql('grounded.filterable_documents', sql), values };
}
