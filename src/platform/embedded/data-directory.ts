import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../errors.ts';
import { type EngineOptions, openEngine, postgresMajor } from './engine.ts';
import { fsyncFile, fsyncTree } from './fsync-tree.ts';

/**
 * Returns the path of the Postgres directory inside a locked data directory. If the Postgres directory is missing,
 * creates it under a temporary name and renames it when it is complete. So an interrupted first start leaves no partial
 * database.
 * @throws DomainError CONFLICT when another major version of Postgres created the directory.
 */
export async function preparePostgresDirectory(
  dataDirectory: string,
  engine: Pick<EngineOptions, 'archive' | 'onCrash' | 'maxResponseBytes'>,
  onProgress: (message: string) => void,
): Promise<string> {
  const directory = join(dataDirectory, 'cluster');
  if (existsSync(directory)) {
    requireSameMajorVersion(directory);
    return directory;
  }
  onProgress('Creating the embedded database (once)');
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 }); // PGlite creates world-writable files
  const postgres = await openEngine({ ...engine, directory: unfinished });
  await postgres.close();
  await fsyncTree(unfinished);
  await rename(unfinished, directory);
  await fsyncFile(dataDirectory);
  return directory;
}

function requireSameMajorVersion(directory: string): void {
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (found === postgresMajor) return;
  throw new DomainError(
    'CONFLICT',
    `${directory} was created by Postgres ${found}, but this version of the service contains Postgres ` +
      `${postgresMajor}. Start the version of the service that created it, or choose another directory with DATA_DIR.`,
  );
}
