import cluster from 'node:cluster';
import { type Config, readConfig } from './config/config.ts';
import { findSettingWarnings } from './config/setting-warnings.ts';
import { sendToPrimary } from './server/cluster/cluster-metrics.ts';
import { runPrimary } from './server/cluster/run-primary.ts';
import { describeStartError } from './server/describe-start-error.ts';
import { createLog } from './server/log.ts';
import { type Service, startService } from './server/service.ts';

/** Starts the service with these environment variables. Exits the process if it cannot start. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    await start(environment);
  } catch (error) {
    const portSetting = environment.ROLE?.trim() === 'worker' ? 'WORKER_PORT' : 'PORT';
    process.stderr.write(`${describeStartError(error, portSetting)}\n`);
    process.exit(1);
  }
}

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  if (cluster.isPrimary) {
    for (const warning of findSettingWarnings(environment)) process.stderr.write(`${warning}\n`);
  }
  const config = readConfig(environment);
  if (config.webConcurrency > 1 && cluster.isPrimary) {
    startSeveral(config);
    return;
  }
  const starting = startService(config, {
    onProgress: print,
    onFatal: (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    },
  });
  stopOnSignals(async () => (await starting).stop(), config);
  const service = await starting;
  printStartupMessage(service, config);
  sendToPrimary({ type: 'ready' });
}

/** Runs the API in several processes, and the jobs in one more. */
function startSeveral(config: Config): void {
  const { webConcurrency } = config;
  // The settings refuse several processes of a worker.
  const role = config.role === 'api' ? 'api' : 'all';
  const log = createLog(config.logLevel, { role: 'primary' });
  const primary = runPrimary({ webConcurrency, role, log }, (code) => process.exit(code));
  stopOnSignals(() => primary.stop(), config);
}

/** Whether this process prints for people: the only one, or the first of several. */
const isFirst = !cluster.isWorker || cluster.worker?.id === 1;

/**
 * One Ctrl-C can cause two signals: from the terminal and from npm. A signal after this time stops the process at once.
 */
const duplicateSignalWindowMs = 1_000;

/** How long the service may take to close after the grace period for running work. */
const closeTimeoutMs = 15_000;

function stopOnSignals(stop: () => Promise<void>, config: Config): void {
  let stoppingSince: number | null = null;
  // One process of several stops without a word: the primary process has printed it.
  const announce = cluster.isWorker ? () => {} : print;
  const shutDown = async () => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince < duplicateSignalWindowMs) return;
      announce('Stopped at once.');
      process.exit(1);
    }
    stoppingSince = performance.now();
    announce('\nStopping … (press again to stop at once)');
    forceExitAfter(config.stopDelayMs + config.stopGraceMs + closeTimeoutMs);
    await stop();
    announce('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void shutDown());
}

/** Exits after this time, even if a database that does not respond blocks the shutdown. */
function forceExitAfter(ms: number): void {
  setTimeout(() => {
    print('Stopped before all work had finished.');
    process.exit(1);
  }, ms).unref();
}

function printStartupMessage({ url, signInPath, demo, hasData }: Service, config: Config): void {
  if (config.role !== 'all' && config.supabase === null) print(sharedFolderNotice(config));
  if (config.role === 'worker') {
    print(`The worker is ready.   Health and metrics: ${url}/health/ready, ${url}/metrics`);
    return;
  }
  print(`
grounded-chat is ready.

  Dashboard  ${url}${signInPath ?? '/dashboard'}${signInPath === null ? '' : '\n             (signs you in, once)'}
  REST API   ${url}/api/v1   (docs: ${url}/api/v1/docs)
  GraphQL    ${url}/graphql`);
  if (demo === null) {
    print(
      hasData
        ? '\nKeys are shown once. Create another:  npm run cli -- keys create\n'
        : '\nThe database is empty. Create a demo project and its key:  npm run cli -- seed\n',
    );
    return;
  }
  print(`
The key of the demo project, shown only now:

  ${demo.secret}

Ask it something:

  curl -N ${url}/api/v1/chat \\
    -H 'Authorization: Bearer ${demo.secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"message": "Which files can I upload?", "stream": true}'

Add your own document, then ask about it:

  curl ${url}/api/v1/knowledge/documents/upload \\
    -H 'Authorization: Bearer ${demo.secret}' \\
    -F 'file=@your.pdf'

Data is stored in ${config.dataDir}. Ctrl-C stops the service.
`);
}

/**
 * The service prints this at the start, because otherwise a missing shared folder would only show at the first upload.
 */
function sharedFolderNotice({ dataDir }: Config): string {
  return `Uploaded files are stored in ${dataDir}. All processes must share this folder, also on other machines.`;
}

function print(message: string): void {
  if (isFirst) process.stdout.write(`${message}\n`);
}
