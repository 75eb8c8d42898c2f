import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import { runSql } from '../../../../platform/postgres/run-sql.ts';
import type { WalPosition } from '../../../../platform/replicas/wal-position.ts';
import type { VectorMemory } from '../../../../platform/vectors/vector-memory.ts';
import type { Corpus } from '../corpus-statistics.ts';
import { type ChangePosition, findUnseen, readChanges } from './document-changes.ts';
import { ProjectIndex } from './project-index.ts';
import { readChunks } from './read-chunks.ts';

export interface LoadedIndex {
  readonly projectId: string;
  readonly modelId: number | null;
  readonly index: ProjectIndex;
  position: ChangePosition;
  /**
   * Replicas that have reached this position contain everything that is in the index. Null if searches read only from
   * the primary.
   */
  walPosition: WalPosition | null;
}

export interface LoadOptions {
  /** Connection pool of the primary. */
  readonly pool: Pool;
  /** Pool from which all chunks of a project are read. It may read from a replica. */
  readonly bulkPool: Pool;
  /** Returns the current position of the primary. Null if searches read only from the primary. */
  readonly readPosition: (() => Promise<WalPosition>) | null;
  readonly memory: VectorMemory;
  readonly projectId: string;
  readonly modelId: number | null;
  /** Called after each batch. If it returns false, loading stops. */
  mayContinue(index: ProjectIndex): boolean;
}

/**
 * Reads the chunks of a project into memory, in batches. Documents that change in the meantime are read again, from the
 * primary. Returns null if `mayContinue` has stopped it, or if the index cannot store a chunk.
 */
export async function loadProjectIndex(options: LoadOptions): Promise<LoadedIndex | null> {
  const { bulkPool, memory, projectId, modelId } = options;
  const { position } = await readChanges(bulkPool, projectId, null);
  const index = new ProjectIndex(memory, await dimensionsOf(bulkPool, modelId));
  const loaded = { projectId, modelId, index, position, walPosition: null };
  const bulk = { ...options, pool: bulkPool };
  try {
    if ((await addDocuments(loaded, bulk, null)) && (await updateIndex(loaded, options))) {
      return loaded;
    }
    index.release();
    return null;
  } catch (error) {
    index.release();
    throw error;
  }
}

/**
 * Reads the documents that changed after the index was read. Returns false in the cases in which `loadProjectIndex`
 * returns null.
 */
export async function updateIndex(
  loaded: LoadedIndex,
  options: Pick<LoadOptions, 'pool' | 'readPosition' | 'mayContinue'>,
): Promise<boolean> {
  const { projectId, position: before } = loaded;
  const { changes, position } = await readChanges(options.pool, projectId, before.horizon);
  const changed = findUnseen(changes, before);
  if (changed.length > 0 && !(await addDocuments(loaded, options, changed))) return false;
  loaded.position = position;
  return true;
}

/**
 * Adds documents to the index. Searches find them only when all are added. If `documentIds` is null, adds all documents
 * of the project and shows each as soon as it is complete, because the index is not searched yet.
 */
async function addDocuments(
  loaded: LoadedIndex,
  { pool, readPosition, mayContinue }: Pick<LoadOptions, 'pool' | 'readPosition' | 'mayContinue'>,
  documentIds: readonly string[] | null,
): Promise<boolean> {
  const { projectId, modelId, index } = loaded;
  const rowsOf = new Map<string, number[]>(documentIds?.map((id) => [id, []]));
  for await (const chunks of readChunks(pool, { projectId, modelId }, documentIds)) {
    for (const chunk of chunks) {
      const row = index.add(chunk);
      if (row === null) return false;
      const rows = rowsOf.get(chunk.documentId);
      if (rows === undefined) rowsOf.set(chunk.documentId, [row]);
      else rows.push(row);
    }
    if (documentIds === null) showDocuments(index, rowsOf, chunks.at(-1)?.documentId);
    if (!mayContinue(index)) return false;
    await nextTurn();
  }
  // Set the position together with the documents. Otherwise a search could rank them and then read from a replica that
  // lacks them.
  loaded.walPosition = (await readPosition?.()) ?? null;
  showDocuments(index, rowsOf);
  return true;
}

/**
 * Makes the documents searchable and removes them from the map. Leaves out the document `except`, because more of its
 * rows may follow.
 */
function showDocuments(index: ProjectIndex, rowsOf: Map<string, number[]>, except?: string): void {
  for (const [id, rows] of rowsOf) {
    if (id === except) continue;
    index.replaceDocument(id, rows);
    rowsOf.delete(id);
  }
}

/** Minimum memory of a chunk in bytes, without its vector. */
const minChunkBytes = 800;

/**
 * Returns the minimum memory that the index of a project needs, in bytes. If there is not enough room, the index is not
 * read.
 */
export async function minIndexBytes(pool: Pool, { projectId, modelId }: Corpus): Promise<number> {
  const [size] = await runSql<{ chunks: number }>(
    pool,
    `select coalesce(sum(chunk_count), 0)::float8 as chunks
    from grounded.documents where project_id = $1::uuid`,
    [projectId],
  );
  const dimensions = (await dimensionsOf(pool, modelId)) ?? 0;
  return (size?.chunks ?? 0) * (2 * dimensions + minChunkBytes);
}

async function dimensionsOf(pool: Pool, modelId: number | null): Promise<number | null> {
  if (modelId === null) return null;
  const [model] = await runSql<{ dimensions: number }>(
    pool,
    'select dimensions from grounded.embedding_models where id = $1::smallint',
    [modelId],
  );
  return model?.dimensions ?? null;
}
