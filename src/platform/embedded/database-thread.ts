import { Worker } from 'node:worker_threads';
import { DomainError } from '../errors.ts';
import type { WorkerCommand, WorkerEvent, WorkerInput } from './worker-messages.ts';

/** Handle of the worker thread that runs Postgres. */
export interface DatabaseThread {
  send(message: WorkerCommand): void;
  /** Resolves to the next message of the given kind. Rejects if the thread exits before that message. */
  waitFor<K extends WorkerEvent['kind']>(
    kind: K,
    matches?: (message: Message<K>) => boolean,
  ): Promise<Message<K>>;
  /** Rejects when the thread exits for any reason, including `stop`. */
  failed: Promise<never>;
  /**
   * Stops Postgres and resolves when the thread has exited. If the thread still runs after `timeoutMs`, terminates it.
   */
  stop(timeoutMs: number): Promise<void>;
}

type Message<K extends WorkerEvent['kind']> = Extract<WorkerEvent, { kind: K }>;

export function startDatabaseThread(
  input: WorkerInput,
  onProgress: ((message: string) => void) | undefined,
): DatabaseThread {
  const worker = createWorker(input);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = rejectOnExit(worker);
  const send = (message: WorkerCommand) => worker.postMessage(message);
  worker.on('message', (message: WorkerEvent) => {
    if (message.kind === 'progress') onProgress?.(message.message);
  });

  return {
    send,
    waitFor: (kind, matches = () => true) =>
      Promise.race([nextMessage(worker, kind, matches), failed]),
    failed,
    async stop(timeoutMs) {
      send({ kind: 'stop' });
      const timer = setTimeout(() => worker.terminate(), timeoutMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function createWorker(input: WorkerInput): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const needsLoader = isSource && !process.features.typescript;
  return new Worker(new URL(isSource ? './worker.ts' : './worker.js', import.meta.url), {
    workerData: input,
    name: 'embedded-database',
    execArgv: [
      '--disable-warning=ExperimentalWarning', // caused by node:sqlite, used for the directory lock only
      ...(needsLoader ? ['--import', import.meta.resolve('tsx')] : []),
    ],
    resourceLimits: { stackSizeMb: threadStackMb },
  });
}

/**
 * Stack size of the thread. Must be large enough for Postgres' `max_stack_depth` of 1 MB. If it is too small, deeply
 * nested input such as JSON crashes the session instead of failing one statement. Measured: 4 MB is too small, 64 MB is
 * enough.
 */
const threadStackMb = 64;

function rejectOnExit(worker: Worker): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    worker.on('message', (message: WorkerEvent) => {
      if (message.kind === 'refused') reject(new DomainError(message.code, message.message));
      if (message.kind === 'died') reject(new Error(`embedded database failed: ${message.reason}`));
    });
    worker.once('error', (cause) => {
      reject(new Error(`embedded database failed: ${String(cause)}`, { cause }));
    });
    worker.once('exit', (code) => reject(new Error(`embedded database exited with code ${code}`)));
  });
  failed.catch(() => {}); // no unhandled rejection if no caller waits, for example after a normal stop
  return failed;
}

function nextMessage<K extends WorkerEvent['kind']>(
  worker: Worker,
  kind: K,
  matches: (message: Message<K>) => boolean,
): Promise<Message<K>> {
  return new Promise((resolve) => {
    const listen = (message: WorkerEvent) => {
      if (!isKind(message, kind) || !matches(message)) return;
      worker.off('message', listen);
      resolve(message);
    };
    worker.on('message', listen);
  });
}

function isKind<K extends WorkerEvent['kind']>(
  message: WorkerEvent,
  kind: K,
): message is Message<K> {
  return message.kind === kind;
}
