import type { ErrorCode } from '../errors.ts';
import type { Limits } from './limits.ts';

/** What the database thread is started with. */
export type WorkerInput = {
  dataDir: string | null;
  /** Begin a new database with this archive. */
  archiveFile: string | undefined;
  password: string;
  limits: Limits;
};

export type ToWorker = { kind: 'stop' } | { kind: 'archive'; file: string };

export type FromWorker =
  | { kind: 'progress'; message: string }
  | { kind: 'ready'; port: number }
  | { kind: 'archived'; file: string; failure: string | null }
  /** The operator must change something. */
  | { kind: 'refused'; code: ErrorCode; message: string }
  /** A defect, or Postgres broke down. */
  | { kind: 'died'; reason: string };
