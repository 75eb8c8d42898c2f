import { cString, frame } from './frames.ts';
import type { RunSql } from './session-settings.ts';

/** ParameterStatus messages for a new connection, with the settings now in force. */
export async function reportedSettings(runSql: RunSql): Promise<Buffer[]> {
  const rows = await runSql(
    `select name, setting from pg_catalog.pg_settings where name in (${REPORTED})`,
  );
  return rows.map(([name, value]) => frame('S', cString(name ?? ''), cString(value ?? '')));
}

/** https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-ASYNC */
const REPORTED = [
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
