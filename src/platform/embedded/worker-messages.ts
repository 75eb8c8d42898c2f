import type { ErrorCode } from '../errors.ts';
import type { Limits } from './limits.ts';

/** Options of the database thread. */
export interface WorkerInput {
  dataDir: string | null;
  /** Tar archive to restore into a new database. Ignored if the data directory contains a database. */
  archiveFile: string | undefined;
  password: string;
  limits: Limits;
}

export type WorkerCommand = { kind: 'stop' } | { kind: 'archive'; file: string };

export type WorkerEvent =
  | { kind: 'progress'; message: string }
  | { kind: 'ready'; port: number }
  | { kind: 'archived'; file: string; failure: string | null }
  /** The database did not start, for a reason that the operator must fix. */
  | { kind: 'refused'; code: ErrorCode; message: string }
  /** The thread is about to exit because of a bug or a Postgres crash. */
  | { kind: 'died'; reason: string };
