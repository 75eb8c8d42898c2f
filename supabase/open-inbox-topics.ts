import type pg from 'pg';

/**
 * Lets members follow the inbox by Supabase Realtime, once the database has Realtime's table: the migration that
 * brings the policies may have run before. Changes nothing where they are, or where there is no Realtime.
 */
export async function openInboxTopics(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regprocedure('grounded.open_inbox_topics()') is not null as exists`,
  );
  if (rows[0]?.exists) await client.query('select grounded.open_inbox_topics()');
}
