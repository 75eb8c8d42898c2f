import type { Engine } from './engine.ts';
import { createNotificationChannels, type NotificationChannels } from './notification-channels.ts';
import { parseErrorResponse, readDataRow } from './reply.ts';
import { createSessionSettings, type RunSql, type SessionSettings } from './session-settings.ts';
import { createUnnamedStatements, type UnnamedStatements } from './unnamed-statements.ts';
import { encodeMessage, simpleQuery, splitWireMessages } from './wire-messages.ts';

/** The single Postgres session that all clients share, and the state that is kept separately for each client. */
export interface SharedSession {
  channels: NotificationChannels;
  settings: SessionSettings;
  unnamedStatements: UnnamedStatements;
  /** Runs a client's messages unchanged and resolves to the bytes of the response. */
  execute(messages: Buffer): Promise<Buffer>;
  /**
   * Runs the server's own messages, followed by a Sync.
   * @throws SqlError when a message fails.
   */
  runMessages(messages: readonly Buffer[]): Promise<void>;
  /**
   * Runs the server's own SQL.
   * @throws SqlError when a statement fails.
   */
  runSql: RunSql;
  /** Updates the channels to which the session listens, after connections have changed their channels. */
  reconcileChannels(): Promise<void>;
}

/** Thrown when Postgres responds with an error to the server's own SQL or messages. */
export class SqlError extends Error {
  /** SQLSTATE */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function createSharedSession(engine: Engine): SharedSession {
  const channels = createNotificationChannels();
  const unnamedStatements = createUnnamedStatements();

  const query = async (messages: Buffer) => {
    unnamedStatements.invalidate();
    const rows: (string | null)[][] = [];
    for (const message of splitWireMessages(await engine.execute(messages))) {
      if (message.type === 'E') {
        const error = parseErrorResponse(message);
        throw new SqlError(error.code, error.message);
      }
      if (message.type === 'D') rows.push(readDataRow(message));
      if (message.type === 'A') channels.dispatch([message], 0);
    }
    return rows;
  };
  const runSql: RunSql = (sql) => query(simpleQuery(sql));

  return {
    channels,
    settings: createSessionSettings(runSql),
    unnamedStatements,
    execute: engine.execute,
    async runMessages(messages) {
      await query(Buffer.concat([...messages, syncMessage]));
    },
    runSql,
    async reconcileChannels() {
      const sql = channels.reconcileSql();
      if (sql) await runSql(sql);
    },
  };
}

const syncMessage = encodeMessage('S');
