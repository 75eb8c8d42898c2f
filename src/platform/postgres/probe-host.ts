import pg from 'pg';
import { hostNames } from './database-url.ts';
import { timelineSql } from './timeline.ts';

/** Result of a probe of one database host. */
export interface HostAnswer {
  /** Host and port for messages. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Timeline of a host that accepts writes. 0 if the role may not read the timeline. Null: no writes. */
  readonly timeline: number | null;
  /** Reason why the host does not accept writes. Null if it does. */
  readonly problem: string | null;
  /** Error code if the host cannot be used at all. */
  readonly code: string | null;
}

/** Maximum time to connect, and maximum time of each statement. */
const timeoutMs = 5_000;

/** Asks one host whether it accepts writes. Never rejects. Closes the connection at once if `signal` aborts. */
export async function probeHost(url: string, signal: AbortSignal): Promise<HostAnswer> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'grounded-chat host check',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  const { host, port } = client;
  const address = { name: hostNames(url), host, port };
  const disconnect = () => void client.connection.stream.destroy();
  client.on('error', () => {}); // A lost connection also rejects the pending call.
  signal.addEventListener('abort', disconnect, { once: true });
  try {
    await client.connect();
    const { rows } = await client.query<{ problem: string | null }>(
      `select case when pg_is_in_recovery() then 'it is a standby'
         when current_setting('transaction_read_only') = 'on' then 'it is read-only' end as problem`,
    );
    const problem = rows[0]?.problem ?? null;
    const timeline = problem === null ? await readTimeline(client) : null;
    client.end().catch(() => {});
    return { ...address, timeline, problem, code: null };
  } catch (error) {
    disconnect();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const message = error instanceof Error ? error.message : String(error);
    return { ...address, timeline: null, problem: message || code || 'no response', code };
  } finally {
    signal.removeEventListener('abort', disconnect);
  }
}

/** Returns 0 if Postgres refuses to show the timeline. */
async function readTimeline(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query<{ timeline: string }>(`select ${timelineSql} as timeline`);
    return Number.parseInt(rows[0]?.timeline ?? '0', 16);
  } catch (error) {
    if (error instanceof pg.DatabaseError) return 0;
    throw error;
  }
}
