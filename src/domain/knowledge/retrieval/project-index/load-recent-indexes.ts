import type { Pool } from 'pg';
import type { ServingEmbedding } from '../../../../models/serving-models.ts';
import { runSql } from '../../../../platform/postgres/run-sql.ts';
import type { ProjectIndexCache } from './project-index-cache.ts';

/** Maximum number of projects whose indexes a process loads when it starts. */
const maxProjects = 10;

interface RecentIndexesInput {
  /** Connection pool whose database role can read the rows of all tenants. */
  readonly pool: Pool;
  readonly models: {
    servingEmbedding(): Promise<Pick<ServingEmbedding, 'id'>>;
  };
  readonly projectIndexes: Pick<ProjectIndexCache, 'load'>;
}

/**
 * Loads the search indexes of the projects that were used in the last hour, one after another, latest first. Call it
 * when a process starts, so that its first searches do not have to wait for an index.
 */
export async function loadRecentIndexes({
  pool,
  models,
  projectIndexes,
}: RecentIndexesInput): Promise<void> {
  const recent = await runSql<{ id: string }>(pool, recentProjects, [maxProjects]);
  for (const { id: projectId } of recent) {
    const { id: modelId } = await models.servingEmbedding();
    await projectIndexes.load({ projectId, modelId });
  }
}

/** Widgets and the dashboard use no API key, but write conversations. */
const recentProjects = `
  select p.id from grounded.projects p
  cross join lateral (
    select greatest(
      (select max(k.last_used_at) from grounded.api_keys k where k.project_id = p.id),
      (select c.last_message_at from grounded.conversations c where c.project_id = p.id
       order by c.last_message_at desc limit 1)) as used_at
  ) u
  where u.used_at > now() - interval '1 hour'
  order by u.used_at desc limit $1::int`;
