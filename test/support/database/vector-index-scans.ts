import type { PoolClient } from 'pg';

/**
 * Returns the number of vector index scans of this connection. Postgres publishes this number only between
 * transactions.
 */
export async function countVectorIndexScans(client: PoolClient): Promise<number> {
  const { rows } = await client.query(
    `select coalesce(sum(pg_stat_get_xact_numscans(oid)), 0)::int as scans
     from pg_class where relname ~ '_hnsw_'`,
  );
  return rows[0].scans;
}
