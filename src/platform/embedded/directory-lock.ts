import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../errors.ts';

/**
 * Locks `directory` for this thread, after creating it if missing. The operating system releases the lock when the
 * thread or its process exits. The lock is an SQLite transaction, because Node has no file locks. Unlike a PID file, it
 * works on every platform and across containers, and cannot become stale.
 * @throws DomainError CONFLICT when another process holds the lock. The message names the directory and the process.
 */
export function lockDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const holderFile = join(directory, 'in-use-by.json');
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw new Error(`failed to lock ${directory}: ${String(cause)}`, { cause });
    throw new DomainError(
      'CONFLICT',
      `The data directory ${directory} is in use by ${readHolder(holderFile)}. ` +
        'Stop that process first, or choose another directory with DATA_DIR.',
      { cause },
    );
  }
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(holderFile, JSON.stringify(holder));
  return { release: () => lock.close() };
}

/** SQLite's result code for a locked database: https://sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function readHolder(holderFile: string): string {
  try {
    const holder: unknown = JSON.parse(readFileSync(holderFile, 'utf8'));
    if (typeof holder !== 'object' || holder === null) return 'another process';
    const { pid, host, since } = { pid: '?', host: '?', since: '?', ...holder };
    return `process ${pid} on ${host} (since ${since})`;
  } catch {
    return 'another process';
  }
}
