import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../errors.ts';

/**
 * Takes `directory`, made if absent, for this thread; the operating system lets go of it when the thread
 * or its process ends in any way. Node has no file locks, but SQLite has them for every platform, and
 * unlike a process id in a file they are never stale and hold across containers.
 * @throws DomainError CONFLICT naming the directory and the process that has it.
 */
export function lockDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const holderFile = join(directory, 'in-use-by.json');
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw new Error(`cannot lock ${directory}: ${String(cause)}`, { cause });
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

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
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
