import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { findPgvectorFaults } from '../../supabase/pgvector-faults.ts';
import type { Demo } from '../../supabase/seed.ts';
import type { Config } from '../config/config.ts';
import { failOrphanedAnswers } from '../domain/chat/finalize-turn.ts';
import { startOrphanSweeper } from '../domain/chat/runs/orphan-sweeper.ts';
import { createSystemContext } from '../domain/context.ts';
import { releaseRunningIdempotencyKeys } from '../domain/idempotency/expired-idempotency-keys.ts';
import { createSignInPath } from '../domain/sign-in/sign-in-links.ts';
import { encryptSourceSecrets } from '../domain/sources/encrypt-source-secrets.ts';
import { encryptWebhookSecrets } from '../domain/webhooks/encrypt-webhook-secrets.ts';
import { encryptIdentitySecrets } from '../domain/widget/encrypt-identity-secrets.ts';
import { createDirectory } from '../platform/create-directory.ts';
import { releaseReserveForStart, watchDiskSpace } from '../platform/disk-space.ts';
import { version } from '../platform/version.ts';
import type { ProtectedResource } from '../rest/mcp/protected-resource.ts';
import type { RunningAdapters } from './adapters.ts';
import type { DashboardSignIn } from './dashboard/serve-dashboard.ts';
import { databaseUrlFile, openDatabase } from './database.ts';
import type { HttpServer } from './http-server.ts';
import { createLog } from './log.ts';
import { createMetrics } from './observability/metrics.ts';
import type { OpenTelemetry } from './observability/open-telemetry/start-open-telemetry.ts';
import { requireSecretKeys, warnOfPlainSecrets } from './secret-keys.ts';
import { loadTokenVerification } from './token.ts';

export interface Service {
  readonly adapters: RunningAdapters;
  /** URL of the service. A worker serves only health and metrics there. */
  readonly url: string;
  /** Path that signs in the demo operator to the dashboard. It works once. Null without the embedded database. */
  readonly signInPath: string | null;
  /** Whether the database had data before this start. */
  readonly hasData: boolean;
  /** The demo project, created at the first start on the embedded database. */
  readonly demo: Demo | null;
  /** Waits for running work, at most for the grace period, then stops everything. */
  stop(): Promise<void>;
}

export interface ServiceHooks {
  readonly onProgress: (message: string) => void;
  /** Called when the embedded database has crashed. The process cannot continue. */
  readonly onFatal: (error: Error) => void;
}

/** Starts the configured parts: database, adapters, workers, web server. They stop in reverse order. */
export async function startService(config: Config, hooks: ServiceHooks): Promise<Service> {
  const cleanups: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let last = cleanups.pop(); last !== undefined; last = cleanups.pop()) await last();
  };
  try {
    return { ...(await start(config, hooks, cleanups)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  config: Config,
  hooks: ServiceHooks,
  cleanups: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  const log = createLog(config.logLevel, { role: config.role });
  log.info({ version }, 'service starts');
  const { metrics, registry } = createMetrics();
  const telemetry = await startTelemetry(config, log);
  if (telemetry !== null) cleanups.push(telemetry.stop);
  await createDirectory(config.dataDir);

  const disk =
    config.databaseUrl === null ? watchDiskSpace({ directory: config.dataDir, log }) : null;
  if (disk !== null) {
    cleanups.push(async () => disk.stop());
    releaseReserveForStart(config.dataDir);
  }
  const loading = loadParts();
  // If the database does not open, report that error and not an error of loading.
  loading.catch(() => {});
  const database = await openDatabase(config, { ...hooks, loading });
  cleanups.push(database.stop);
  if (config.databaseUrl === null)
    cleanups.push(await writeDatabaseUrlFile(config, database.access.databaseUrl));

  hooks.onProgress('Loading the models …');
  const { adapterModule, jobModule, seedModule, webModule } = await loading;
  const adapters = await adapterModule.startAdapters({
    ...config,
    ...database.access,
    disk,
    isWorker: config.role !== 'api',
    metrics,
    log,
  });
  cleanups.push(adapters.stop);
  await prepareSecrets(adapters, config);
  if (config.databaseUrl === null) {
    // No other process uses the embedded database. So unfinished answers were left by a process that crashed.
    await failOrphanedAnswers(adapters, { afterSeconds: 0 });
    await releaseRunningIdempotencyKeys(adapters);
    await adapters.queue.releaseRunningJobs();
  } else {
    const warning = await findPgvectorFaults(adapters.pool);
    if (warning !== null) log.warn(warning);
    const orphanSweeper = startOrphanSweeper(adapters);
    cleanups.push(async () => orphanSweeper.stop());
  }

  if (config.role !== 'api') await adapters.queue.work(adapters, jobModule.jobs);
  const web = await startServer(webModule, config, adapters, registry);
  await telemetry?.startMetrics(registry);
  // The last report includes the queues, so it precedes the end of the adapters.
  if (telemetry !== null) cleanups.push(telemetry.stopMetrics);
  cleanups.push(() => stopGracefully(web, adapters, config));

  // Create the demo only after the server has started: its API key is shown once, and would be lost if the start
  // failed.
  const hasData = !(await seedModule.isDatabaseEmpty(adapters));
  const demo = config.databaseUrl === null && !hasData ? await seedModule.seedDemo(adapters) : null;
  if (demo !== null) await seedModule.waitForDemoDocument(adapters, demo);
  const usesSignInLinks = config.databaseUrl === null && dashboardSignIn(config).type === 'link';
  const signInPath = usesSignInLinks
    ? await createSignInPath(adapters, seedModule.demoOperatorEmail)
    : null;
  return { adapters, url: web.url, signInPath, hasData, demo };
}

/** Loads OpenTelemetry and starts it. Returns null if it is off, and then loads nothing. */
async function startTelemetry(
  { openTelemetry }: Pick<Config, 'openTelemetry'>,
  log: Logger,
): Promise<OpenTelemetry | null> {
  if (openTelemetry === null) return null;
  const { startOpenTelemetry } = await import(
    './observability/open-telemetry/start-open-telemetry.ts'
  );
  return startOpenTelemetry(openTelemetry, log);
}

/** Loads most of the code. Loading takes long, so the embedded database opens in its own thread in the meantime. */
async function loadParts() {
  const [adapterModule, jobModule, seedModule, webModule] = await Promise.all([
    import('./adapters.ts'),
    import('./jobs.ts'),
    import('../../supabase/seed.ts'),
    import('./web-server.ts').then(({ startHealthServer, startWebServer }) => ({
      startHealthServer,
      startWebServer,
    })),
  ]);
  return { adapterModule, jobModule, seedModule, webModule };
}

type Parts = Awaited<ReturnType<typeof loadParts>>;

/**
 * Encrypts the secrets that an earlier version stored, or that an earlier key encrypted. On an external database, only
 * `secrets rotate` does this: processes of the earlier version may still run, and an operator should first decide where
 * the key is stored.
 */
async function prepareSecrets(
  adapters: RunningAdapters,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): Promise<void> {
  const context = createSystemContext(adapters, new AbortController().signal);
  await requireSecretKeys(context);
  if (databaseUrl === null) {
    await encryptWebhookSecrets(context);
    await encryptSourceSecrets(context);
    await encryptIdentitySecrets(context);
  } else await warnOfPlainSecrets(context);
}

async function startServer(
  { startHealthServer, startWebServer }: Parts['webModule'],
  config: Config,
  adapters: RunningAdapters,
  registry: Registry,
): Promise<HttpServer> {
  const { log } = adapters;
  return config.role === 'worker'
    ? startHealthServer(adapters, { ...config, port: config.workerPort, log, registry })
    : startWebServer(adapters, {
        ...config,
        tokenVerification: await loadTokenVerification(config),
        signIn: dashboardSignIn(config),
        mcpResource: mcpResource(config),
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

/** Operators sign in to the MCP server with Supabase Auth. Their tokens name the public address, so it must be set. */
function mcpResource({ supabase, publicUrl }: Config): ProtectedResource | null {
  if (supabase === null || publicUrl === null) return null;
  return { url: `${publicUrl}/mcp`, authorizationServers: [`${supabase.url}/auth/v1`] };
}

/**
 * First, the readiness check fails, so that proxies choose another node. Then the service refuses new work and waits
 * for requests, resumable answers and jobs. Subscriptions close at once, and their clients reconnect to another
 * process.
 */
async function stopGracefully(
  web: HttpServer,
  { runningAnswers, events, queue }: RunningAdapters,
  { stopDelayMs, stopGraceMs }: Config,
): Promise<void> {
  web.drain();
  await delay(stopDelayMs);
  await Promise.all([
    web.stop(),
    events.stop(),
    runningAnswers.drain(stopGraceMs),
    queue.drain(stopGraceMs),
  ]);
}

/** Writes the URL of the embedded database to a file, so that the command line can connect while this process runs. */
async function writeDatabaseUrlFile(
  { dataDir }: Config,
  url: string,
): Promise<() => Promise<void>> {
  const path = join(dataDir, databaseUrlFile);
  await rm(path, { force: true });
  await writeFile(path, url, { mode: 0o600 });
  await chmod(path, 0o600);
  return () => rm(path, { force: true });
}
