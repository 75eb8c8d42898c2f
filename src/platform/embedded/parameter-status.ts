import type { RunSql } from './session-settings.ts';
import { cString, encodeMessage } from './wire-messages.ts';

/**
 * Returns one ParameterStatus message with the current value for each reported setting. The server sends them to a new
 * connection.
 */
export async function readParameterStatus(runSql: RunSql): Promise<Buffer[]> {
  const rows = await runSql(
    `select name, setting from pg_catalog.pg_settings where name in (${reportedSettings})`,
  );
  return rows.map(([name, value]) => encodeMessage('S', cString(name ?? ''), cString(value ?? '')));
}

/** Settings that Postgres reports to clients: https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-ASYNC */
const reportedSettings = [
  'application_name',
  'client_encoding',
  'DateStyle',
  'default_transaction_read_only',
  'in_hot_standby',
  'integer_datetimes',
  'IntervalStyle',
  'is_superuser',
  'scram_iterations',
  'search_path',
  'server_encoding',
  'server_version',
  'session_authorization',
  'standard_conforming_strings',
  'TimeZone',
]
  .map((name) => `'${name}'`)
  .join(', ');
