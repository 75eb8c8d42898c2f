import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { newId } from '../../src/platform/ids.ts';
import { pick, type Random } from '../support/seeded-random.ts';
import type { ClusteredVectors } from './clustered-vectors.ts';
import { type Passage, termsForProject } from './generated-passages.ts';

export interface GeneratedProject {
  readonly id: string;
  readonly chunks: number;
  /** Topic clusters from which the project's documents and questions are generated. */
  readonly clusters: readonly number[];
}

/** Returns project sizes by a power law from `largest` to `smallest` with the sum `total`, in descending order. */
export function projectSizes(input: {
  readonly total: number;
  readonly projects: number;
  readonly largest: number;
  readonly smallest: number;
}): number[] {
  const sizesFor = (exponent: number) =>
    Array.from({ length: input.projects }, (_, n) =>
      Math.max(input.smallest, Math.round(input.largest / (n + 1) ** exponent)),
    );
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  let [low, high] = [0, 10];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (sum(sizesFor(middle)) > input.total) low = middle;
    else high = middle;
  }
  const sizes = sizesFor(high);
  // The formula is only approximate here, so the last size is set to exactly `smallest`.
  sizes[sizes.length - 1] = input.smallest;
  return sizes;
}

/** Returns the projects that `loadProjects` stored, largest first. A project's name contains its clusters. */
export async function findProjects(pool: Pool): Promise<GeneratedProject[]> {
  const { rows } = await pool.query<{ id: string; name: string; chunks: number }>(
    `select p.id, p.name, (select count(*) from grounded.chunks c where c.project_id = p.id)::int as chunks
     from grounded.projects p order by chunks desc`,
  );
  return rows.map(({ id, name, chunks }) => ({
    id,
    chunks,
    clusters: name.split(' ').map(Number),
  }));
}

const chunksPerDocument = 40;
const batchSize = 500;

/**
 * Inserts projects of these sizes directly into the database, because the service's ingestion would take many times as
 * long.
 */
export async function loadProjects(
  pool: Pool,
  input: {
    readonly sizes: readonly number[];
    readonly modelId: number;
    readonly vectors: ClusteredVectors;
    readonly passages: readonly Passage[];
    readonly random: Random;
    readonly onProgress?: (loadedChunks: number) => void;
  },
): Promise<void> {
  const organizationId = randomUUID();
  await pool.query(`insert into grounded.organizations (id, name) values ($1, 'Growth')`, [
    organizationId,
  ]);
  const projects = input.sizes.map((chunks) => ({
    id: randomUUID(),
    chunks,
    clusters: Array.from({ length: Math.ceil(Math.sqrt(chunks) / 10) }, () =>
      Math.floor(input.random() * input.vectors.clusters),
    ),
  }));
  let loaded = 0;
  for (const project of projects) {
    await pool.query(
      'insert into grounded.projects (id, organization_id, name) values ($1, $2, $3)',
      [project.id, organizationId, project.clusters.join(' ')],
    );
    for (let from = 0; from < project.chunks; from += batchSize) {
      const count = Math.min(batchSize, project.chunks - from);
      await insertChunks(pool, project, count, input);
      loaded += count;
      input.onProgress?.(loaded);
    }
  }
}

async function insertChunks(
  pool: Pool,
  project: GeneratedProject,
  count: number,
  { modelId, vectors, passages, random }: Parameters<typeof loadProjects>[1],
): Promise<void> {
  const documents = Array.from({ length: Math.ceil(count / chunksPerDocument) }, newId);
  const chosen = Array.from({ length: count }, () => pick(random, passages));
  await pool.query(insertChunksSql, [
    project.id,
    modelId,
    documents,
    chosen.map(newId),
    chosen.map((_, n) => documents[Math.floor(n / chunksPerDocument)]),
    chosen.map((_, n) => n % chunksPerDocument),
    chosen.map(({ content }) => content),
    chosen.map((passage) => termsForProject(project.id, passage)),
    chosen.map(({ length }) => length),
    chosen.map(() => compactVectorLiteral(vectors.draw(pick(random, project.clusters), random))),
  ]);
}

const insertChunksSql = `
with document as (
  insert into grounded.documents
    (id, project_id, name, status, source_type, mime_type, size_bytes, content_hash, chunk_count)
  select id, $1::uuid, 'Handbook.pdf', 'READY', 'TEXT', 'text/plain', 1, '', 40 from unnest($3::uuid[]) as t (id)
), row as (
  select * from unnest($4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::text[], $9::int[], $10::text[])
    as t (id, document_id, position, content, terms, length, embedding)
), chunk as (
  insert into grounded.chunks (id, project_id, document_id, position, content, context, start_offset, end_offset,
                               token_count, terms, length)
  select id, $1::uuid, document_id, position, content, '', 0, length(content), 160, terms::tsvector, length from row
)
insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
select $1::uuid, id, $2::smallint, embedding::grounded.embedding from row`;

/** Formats a vector with four decimals. This halves the bytes to send and causes a relative error of 0.1 %. */
function compactVectorLiteral(vector: Float32Array): string {
  let text = '[';
  for (const value of vector) text += `${decimals[Math.round(value * 10_000) + 10_000]},`;
  return `${text.slice(0, -1)}]`;
}

const decimals = Array.from({ length: 20_001 }, (_, n) => String((n - 10_000) / 10_000));
