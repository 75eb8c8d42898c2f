import { type Channels, createChannels } from './channels.ts';
import type { Engine } from './engine.ts';
import { frame, simpleQuery, splitFrames } from './frames.ts';
import { readDataRow, readError } from './reply.ts';
import { createSessionSettings, type RunSql, type SessionSettings } from './session-settings.ts';
import { createUnnamedStatements, type UnnamedStatements } from './unnamed-statements.ts';

/** The one session all clients share, with what it remembers of them. */
export type SharedSession = {
  channels: Channels;
  settings: SessionSettings;
  unnamed: UnnamedStatements;
  /** Runs a client's messages as they are. */
  execute(messages: Buffer): Promise<Buffer>;
  /** Runs messages of our own, and a Sync. Rejects with SqlError when one fails. */
  runMessages(messages: readonly Buffer[]): Promise<void>;
  /** Runs SQL of our own. Rejects with SqlError when it fails. */
  runSql: RunSql;
  /** After a change of who listens to what. */
  repairChannels(): Promise<void>;
};

/** An ErrorResponse to SQL of our own. */
export class SqlError extends Error {
  /** SQLSTATE */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function createSharedSession(engine: Engine): SharedSession {
  const channels = createChannels();
  const unnamed = createUnnamedStatements();

  const ask = async (messages: Buffer) => {
    unnamed.lost();
    const rows: (string | null)[][] = [];
    for (const message of splitFrames(await engine.execute(messages))) {
      if (message.type === 'E') {
        const error = readError(message);
        throw new SqlError(error.code, error.message);
      }
      if (message.type === 'D') rows.push(readDataRow(message));
      if (message.type === 'A') channels.route([message], 0);
    }
    return rows;
  };
  const runSql: RunSql = (sql) => ask(simpleQuery(sql));

  return {
    channels,
    settings: createSessionSettings(runSql),
    unnamed,
    execute: engine.execute,
    async runMessages(messages) {
      await ask(Buffer.concat([...messages, SYNC]));
    },
    runSql,
    async repairChannels() {
      const sql = channels.repairSql();
      if (sql) await runSql(sql);
    },
  };
}

const SYNC = frame('S');
