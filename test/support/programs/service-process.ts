import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testSecretsKey } from '../test-secrets-key.ts';

/** The service in a separate process, started as an operator does it. */
export interface ServiceProcess {
  /** Base URL. For a worker process, the URL of its health checks and its metrics. */
  readonly url: string;
  /** API key that the service printed. It prints a key only at the first start on a data directory. Otherwise null. */
  readonly key: string | null;
  /** Standard output up to the line that says the service is ready. */
  readonly printed: string;
  /** Returns the standard error so far, which contains the log. */
  errors(): string;
  readonly pid: number;
  /** Resolves when the process has exited. Returns the exit code, or null if a signal ended the process. */
  readonly exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Kills the process at once with SIGKILL. */
  kill(): Promise<void>;
  /** Stops the process gracefully. Returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the service's bundle with these settings and waits until it is ready. If the start fails, rejects with the
 * output of the process.
 */
export async function startServiceProcess(
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const sharedKey = settings.DATABASE_URL && { SECRETS_KEY: testSecretsKey };
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', ...sharedKey, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const exited = ended.then(([code]): number | null => code);
  let errors = '';
  child.stderr?.on('data', (bytes) => {
    errors += bytes;
  });
  const printed = await readUntilReady(child, ended, () => errors);
  return {
    url: firstMatch(printed, /(?:REST API {3}|Health and metrics: )(http:\/\/[^\s/]+)/) ?? '',
    key: firstMatch(printed, /^ {2}(sk_\w+)$/m),
    printed,
    errors: () => errors,
    pid: child.pid ?? 0,
    exited,
    signal: (name) => child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function readUntilReady(
  child: ChildProcess,
  ended: Promise<unknown[]>,
  errors: () => string,
): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  let printed = '';
  for await (const line of createInterface({ input: child.stdout })) {
    printed += `${line}\n`;
    if (
      /Ctrl-C stops the service|Keys are shown once|database is empty|worker is ready/.test(line)
    ) {
      child.stdout.resume();
      return printed;
    }
  }
  const [code, signal] = await ended;
  throw new Error(`The service ended with ${code ?? signal}:\n${printed}${errors()}`);
}

function firstMatch(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1] ?? null;
}
