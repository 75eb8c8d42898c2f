import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../errors.ts';
import { type EngineOptions, openEngine, POSTGRES_MAJOR } from './engine.ts';
import { syncFile, syncTree } from './sync-tree.ts';

/**
 * The Postgres directory inside a locked data directory. A new one is made beside its place and moved
 * there when complete, so that an interrupted first start leaves nothing that looks like a database.
 * @throws DomainError CONFLICT when another major version of Postgres made it.
 */
export async function preparePostgresDirectory(
  dataDirectory: string,
  engine: Pick<EngineOptions, 'archive' | 'onDeath' | 'maxAnswerBytes'>,
  onProgress: (message: string) => void,
): Promise<string> {
  const directory = join(dataDirectory, 'cluster');
  if (existsSync(directory)) {
    requireSameMajor(directory);
    return directory;
  }
  onProgress('Creating the embedded database (once)');
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 }); // PGlite makes its files writable for everyone
  const postgres = await openEngine({ ...engine, directory: unfinished });
  await postgres.close();
  await syncTree(unfinished);
  await rename(unfinished, directory);
  await syncFile(dataDirectory);
  return directory;
}

function requireSameMajor(directory: string): void {
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (found === POSTGRES_MAJOR) return;
  throw new DomainError(
    'CONFLICT',
    `${directory} was made by Postgres ${found}, this version of the service has Postgres ` +
      `${POSTGRES_MAJOR}. Start the version that made it, or choose another directory with DATA_DIR.`,
  );
}
