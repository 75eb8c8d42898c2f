import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Demo, isEmpty, seedDemo } from '../supabase/seed.ts';
import type { Config } from './config.ts';
import { connectionFile, openDatabase } from './database.ts';
import { type RunningAdapters, startAdapters } from './domain/adapters.ts';
import { jobHandlers } from './domain/jobs/workers.ts';
import { startWeb } from './http.ts';
import { createLog } from './log.ts';
import { tokenTrust } from './token.ts';

export interface Service {
  readonly adapters: RunningAdapters;
  /** Null for a pure worker. */
  readonly url: string | null;
  /** Made at the first start on the embedded database. */
  readonly demo: Demo | null;
  /** Lets running work end for a while, then stops everything. */
  stop(): Promise<void>;
}

export interface ServiceHooks {
  readonly onProgress: (message: string) => void;
  /** The embedded database has died: the process cannot go on. */
  readonly onFatal: (error: Error) => void;
}

/** Starts what the configuration asks for: database, adapters, workers, web; stops it in the reverse order. */
export async function startService(config: Config, hooks: ServiceHooks): Promise<Service> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let last = stops.pop(); last !== undefined; last = stops.pop()) await last();
  };
  try {
    return { ...(await start(config, hooks, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  config: Config,
  hooks: ServiceHooks,
  stops: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  const log = createLog(config.logLevel, { role: config.role });
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });

  const database = await openDatabase(config, hooks);
  stops.push(database.stop);
  if (config.databaseUrl === null) stops.push(await publishConnection(config, database.url));

  hooks.onProgress('Loading the models …');
  const adapters = await startAdapters({
    ...config,
    databaseUrl: database.url,
    isWorker: config.role !== 'api',
    log,
  });
  stops.push(adapters.stop);

  const isFirstStart = config.databaseUrl === null && (await isEmpty(adapters));
  const demo = isFirstStart ? await seedDemo(adapters) : null;
  if (config.role !== 'api') await adapters.queue.work(jobHandlers(adapters));
  if (config.role === 'worker') return { adapters, url: null, demo };

  const web = await startWeb(adapters, { ...config, trust: await tokenTrust(config), log });
  stops.push(web.stop);
  return { adapters, url: web.url, demo };
}

/** Lets the command line reach the embedded database while this process holds it. */
async function publishConnection({ dataDir }: Config, url: string): Promise<() => Promise<void>> {
  const path = join(dataDir, connectionFile);
  await rm(path, { force: true });
  await writeFile(path, url, { mode: 0o600 });
  await chmod(path, 0o600);
  return () => rm(path, { force: true });
}
