import type pg from 'pg';

/**
 * Creates the policies that let members subscribe to the inbox through Supabase Realtime. Needed if Realtime was added
 * to the database after the migration ran. Changes nothing if the policies exist or there is no Realtime.
 */
export async function openInboxTopics(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regprocedure('grounded.open_inbox_topics()') is not null as exists`,
  );
  if (rows[0]?.exists) await client.query('select grounded.open_inbox_topics()');
}
