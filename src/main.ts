import { type Config, ConfigError, readConfig } from './config.ts';
import { DomainError } from './domain/errors.ts';
import { type Service, startService } from './service.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const starting = startService(config, {
    onProgress: say,
    onFatal: (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    },
  });
  stopOnSignals(starting, config);
  greet(await starting, config);
}

/** One Ctrl-C can arrive twice, from the terminal and from npm, so only a later one means: at once. */
const impatientAfterMs = 1_000;

/** How long a service may take to close everything once the time for running work is over. */
const farewellMs = 15_000;

function stopOnSignals(starting: Promise<Service>, config: Config): void {
  let stoppingSince: number | null = null;
  const end = async () => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince < impatientAfterMs) return;
      say('Stopped at once.');
      process.exit(1);
    }
    stoppingSince = performance.now();
    say('\nStopping … (again to stop at once)');
    exitWithin(config.stopDelayMs + config.stopGraceMs + farewellMs);
    await (await starting).stop();
    say('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
}

/** A database that says nothing more must not keep the process. */
function exitWithin(ms: number): void {
  setTimeout(() => {
    say('Stopped in the middle of work.');
    process.exit(1);
  }, ms).unref();
}

function greet({ url, signInPath, demo, hasData }: Service, config: Config): void {
  if (config.role !== 'all' && config.supabase === null) say(sharedFolder(config));
  if (config.role === 'worker') {
    say(`The worker is ready.   Health and metrics: ${url}/health/ready, ${url}/metrics`);
    return;
  }
  say(`
grounded-chat is ready.

  Dashboard  ${url}${signInPath ?? '/dashboard'}${signInPath === null ? '' : '\n             (signs you in, once)'}
  REST API   ${url}/api/v1   (docs: ${url}/api/v1/docs)
  GraphQL    ${url}/graphql`);
  if (demo === null) {
    say(
      hasData
        ? '\nKeys are shown once. Make another:  npm run cli -- keys create\n'
        : '\nThe database is empty. Make a demo project and its key:  npm run cli -- seed\n',
    );
    return;
  }
  say(`
The key of the demo project, shown only now:

  ${demo.secret}

Ask it something:

  curl -N ${url}/api/v1/chat \\
    -H 'Authorization: Bearer ${demo.secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"message": "Which files can I upload?", "stream": true}'

Add a document of your own, and ask about it:

  curl ${url}/api/v1/knowledge/documents/upload \\
    -H 'Authorization: Bearer ${demo.secret}' \\
    -F 'file=@your.pdf'

Data is kept in ${config.dataDir}. Ctrl-C stops the service.
`);
}

/** Nothing else would tell before the first upload. */
function sharedFolder({ dataDir }: Config): string {
  return `Uploaded files are kept in ${dataDir}, which all processes must share, on other machines as well.`;
}

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

/** Failures an operator can mend say how; a stack would hide it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}\nAnother program listens there. Choose another port: PORT=3001 npm start`;
  }
  if ('code' in error && ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'].includes(String(error.code))) {
    return `The database cannot be reached: ${error.message || error.code}. Check DATABASE_URL.`;
  }
  return error.stack ?? error.message;
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
