import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import { createLocalStorage } from '../../platform/storage/local-storage.ts';
import type { SupabaseProject } from '../../platform/supabase-client.ts';
import type { ComparedTable } from './compare-rows.ts';
import { type CopiedFiles, copyFiles } from './copy-files.ts';
import { findSecretKeys, type UsedSecretKey } from './find-secret-keys.ts';
import { analyze, hasOrganizations, moveRows, requireEmpty } from './move-rows.ts';
import {
  beginTransaction,
  connect,
  describePlace,
  installTables,
  openPlace,
  type Place,
} from './open-installation.ts';

export interface MoveReport {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly ComparedTable[];
  /** Null: the files stay where they are. */
  readonly files: CopiedFiles | null;
  readonly secretKeys: readonly UsedSecretKey[];
}

/**
 * Copies an installation to an empty place. The source stays as it is, except that an embedded database gets pending
 * migrations.
 * @throws DomainError NOT_FOUND when the source has no organization
 * @throws DomainError CONFLICT when a database is in use, the target has data, or both places are the same
 * @throws DomainError UNAVAILABLE when a database or the storage cannot be used
 */
export async function moveInstallation(
  config: Config,
  { source: from, target: to }: { readonly source: Place; readonly target: Place },
  logProgress: (message: string) => void,
): Promise<MoveReport> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    return await move(config, { from, to }, logProgress, cleanUps);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function move(
  config: Config,
  { from, to }: { readonly from: Place; readonly to: Place },
  logProgress: (message: string) => void,
  cleanUps: (() => Promise<unknown>)[],
): Promise<MoveReport> {
  const open = async (place: Place) => {
    const { url, stop } = await openPlace(place, logProgress);
    cleanUps.push(stop);
    return { url, name: describePlace(place) };
  };
  const openClient = async ({ url, name }: { readonly url: string; readonly name: string }) => {
    const client = await connect(url, name);
    cleanUps.push(() => client.end().catch(() => {})); // the connection may be lost
    return client;
  };

  if (from.type === to.type && describePlace(from) === describePlace(to)) throw samePlace();
  if (from.type === 'embedded' && !existsSync(join(from.dataDir, 'postgres')))
    throw nothingIn(from);
  // The target is checked first if that takes no time.
  if (to.type === 'postgres') await (await connect(to.url, describePlace(to))).end();
  const sourcePlace = await open(from);
  if (from.type === 'embedded') await installTables(sourcePlace.url);
  const source = await openClient(sourcePlace);
  await beginTransaction(source, 'repeatable read read only');
  if (!(await hasOrganizations(source))) throw nothingIn(from);

  const targetPlace = await open(to);
  await prepareTarget(source, targetPlace);
  const secretKeys = await findSecretKeys(source, config);
  const files = await moveFiles(config, to, source, logProgress);
  const target = await openClient(targetPlace);
  const tables = await moveRows(source, target, logProgress);
  if (tables.every(({ equal }) => equal)) await analyze(target);
  return { from: sourcePlace.name, to: targetPlace.name, tables, files, secretKeys };
}

/** Checks the target before it changes it. */
async function prepareTarget(
  source: pg.Client,
  { url, name }: { readonly url: string; readonly name: string },
): Promise<void> {
  const client = await connect(url, name);
  try {
    await beginTransaction(client, 'read committed');
    if (await isSameDatabase(source, client)) throw samePlace();
    await requireEmpty(client);
  } finally {
    await client.end();
  }
  await installTables(url);
}

/** An advisory lock that the source holds is free in every other database. This does not depend on addresses. */
async function isSameDatabase(source: pg.Client, target: pg.Client): Promise<boolean> {
  const key = randomInt(2 ** 47);
  await source.query('select pg_advisory_xact_lock($1)', [key]);
  const { rows } = await target.query<{ isFree: boolean }>(
    'select pg_try_advisory_xact_lock($1) as "isFree"',
    [key],
  );
  return rows[0]?.isFree !== true;
}

function nothingIn(place: Place): DomainError {
  return new DomainError(
    'NOT_FOUND',
    `There is no organization to move in ${describePlace(place)}.`,
  );
}

function samePlace(): DomainError {
  return new DomainError(
    'CONFLICT',
    'Source and target are the same database. The source is the database of the settings: without DATABASE_URL, the embedded one.',
  );
}

/** With the settings of Supabase, the target reads the files from its Storage. Otherwise it reads them from `DATA_DIR`. */
async function moveFiles(
  { dataDir, supabase }: Config,
  to: Place,
  source: pg.Client,
  logProgress: (message: string) => void,
): Promise<CopiedFiles | null> {
  if (to.type === 'embedded' || supabase === null) return null;
  const local = createLocalStorage(join(dataDir, 'files'));
  return copyFiles(source, local, await createTargetStorage(supabase), logProgress);
}

async function createTargetStorage(project: SupabaseProject) {
  const { createSupabaseStorage } = await import('../../platform/storage/supabase-storage.ts');
  const storage = createSupabaseStorage(project);
  await storage.check();
  return storage;
}
