import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { type Demo, demoIsRead, demoOperator, isEmpty, seedDemo } from '../supabase/seed.ts';
import type { Config } from './config.ts';
import { connectionFile, openDatabase } from './database.ts';
import { type RunningAdapters, startAdapters } from './domain/adapters.ts';
import { closeStaleAnswers } from './domain/chat/close-turn.ts';
import { releaseRunningKeys } from './domain/idempotency/expired-keys.ts';
import { jobHandlers } from './domain/jobs/workers.ts';
import { createSignInLink } from './domain/sign-in/operator-sessions.ts';
import { startHealth, startWeb } from './http.ts';
import type { WebServer } from './http-server.ts';
import { createLog } from './log.ts';
import { createMetrics } from './observability/metrics.ts';
import type { DashboardSignIn } from './serve-dashboard.ts';
import { tokenTrust } from './token.ts';

export interface Service {
  readonly adapters: RunningAdapters;
  /** Where it listens: the whole service, or of a pure worker health and metrics. */
  readonly url: string;
  /** Signs the demo's operator in to the dashboard, once; null but on the embedded database, where links sign in. */
  readonly signInPath: string | null;
  /** Whether somebody has used the database before this start. */
  readonly hasData: boolean;
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
  const { metrics, registry } = createMetrics();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });

  const database = await openDatabase(config, hooks);
  stops.push(database.stop);
  if (config.databaseUrl === null)
    stops.push(await publishConnection(config, database.access.databaseUrl));

  hooks.onProgress('Loading the models …');
  const adapters = await startAdapters({
    ...config,
    ...database.access,
    isWorker: config.role !== 'api',
    metrics,
    log,
  });
  stops.push(adapters.stop);
  // Nobody else serves the embedded database, so whatever is still open was left by a process that died.
  if (config.databaseUrl === null) {
    await closeStaleAnswers(adapters, { afterSeconds: 0 });
    await releaseRunningKeys(adapters);
  }

  if (config.role !== 'api') await adapters.queue.work(jobHandlers(adapters));
  const web = await listen(config, adapters, registry);
  stops.push(() => stopGently(web, adapters, config));

  // Only once nothing can go wrong any more: the demo's key is shown once.
  const hasData = !(await isEmpty(adapters));
  const demo = config.databaseUrl === null && !hasData ? await seedDemo(adapters) : null;
  if (demo !== null) await demoIsRead(adapters, demo);
  const hasLinks = config.databaseUrl === null && dashboardSignIn(config).type === 'link';
  const signInPath = hasLinks ? await newSignInPath(adapters) : null;
  return { adapters, url: web.url, signInPath, hasData, demo };
}

async function newSignInPath(adapters: RunningAdapters): Promise<string> {
  return `/dashboard/#sign-in=${await createSignInLink(adapters, demoOperator)}`;
}

async function listen(
  config: Config,
  adapters: RunningAdapters,
  registry: Registry,
): Promise<WebServer> {
  const { log } = adapters;
  return config.role === 'worker'
    ? startHealth(adapters, { ...config, port: config.workerPort, log, registry })
    : startWeb(adapters, {
        ...config,
        trust: await tokenTrust(config),
        signIn: dashboardSignIn(config),
        log,
        registry,
      });
}

function dashboardSignIn({ supabase }: Config): DashboardSignIn {
  if (supabase === null) return { type: 'link' };
  const { url, publishableKey, jwtSecret } = supabase;
  if (publishableKey !== null) return { type: 'supabase', url, publishableKey };
  return { type: jwtSecret === null ? 'none' : 'link' };
}

/**
 * First says that it is not ready, so that proxies look elsewhere; then takes nothing new, and lets requests, answers
 * without a reader and jobs end. Who watches is sent away at once, to go on at another process.
 */
async function stopGently(
  web: WebServer,
  { runningAnswers, events, queue }: RunningAdapters,
  { stopDelayMs, stopGraceMs }: Config,
): Promise<void> {
  web.drain();
  await delay(stopDelayMs);
  await Promise.all([
    web.stop(),
    events.stop(),
    runningAnswers.settle(stopGraceMs),
    queue.settle(stopGraceMs),
  ]);
}

/** Lets the command line reach the embedded database while this process holds it. */
async function publishConnection({ dataDir }: Config, url: string): Promise<() => Promise<void>> {
  const path = join(dataDir, connectionFile);
  await rm(path, { force: true });
  await writeFile(path, url, { mode: 0o600 });
  await chmod(path, 0o600);
  return () => rm(path, { force: true });
}
