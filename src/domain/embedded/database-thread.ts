import { Worker } from 'node:worker_threads';
import { DomainError } from '../errors.ts';
import type { FromWorker, ToWorker, WorkerInput } from './worker-messages.ts';

/** The thread that Postgres runs in, as seen by the others. */
export type DatabaseThread = {
  tell(message: ToWorker): void;
  /** The next message of that kind that matches; rejects when the thread ends first. */
  expect<K extends FromWorker['kind']>(
    kind: K,
    matches?: (message: Message<K>) => boolean,
  ): Promise<Message<K>>;
  /** Rejects when the thread ends, for whatever reason. */
  failed: Promise<never>;
  stop(timeoutMs: number): Promise<void>;
};

type Message<K extends FromWorker['kind']> = Extract<FromWorker, { kind: K }>;

export function startDatabaseThread(
  input: WorkerInput,
  onProgress: ((message: string) => void) | undefined,
): DatabaseThread {
  const worker = createWorker(input);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = rejectOnEnd(worker);
  const tell = (message: ToWorker) => worker.postMessage(message);
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'progress') onProgress?.(message.message);
  });

  return {
    tell,
    expect: (kind, matches = () => true) =>
      Promise.race([nextMessage(worker, kind, matches), failed]),
    failed,
    async stop(timeoutMs) {
      tell({ kind: 'stop' });
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
      '--disable-warning=ExperimentalWarning', // node:sqlite, which only locks a file here
      ...(needsLoader ? ['--import', import.meta.resolve('tsx')] : []),
    ],
    resourceLimits: { stackSizeMb: THREAD_STACK_MB },
  });
}

/**
 * Must hold Postgres' `max_stack_depth` (measured for 1 MB: 4 is too little, 64 is enough), or nested
 * input, JSON for one, kills the session instead of failing one statement.
 */
const THREAD_STACK_MB = 64;

function rejectOnEnd(worker: Worker): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'refused') reject(new DomainError(message.code, message.message));
      if (message.kind === 'died') reject(new Error(`embedded database failed: ${message.reason}`));
    });
    worker.once('error', (cause) => {
      reject(new Error(`embedded database failed: ${String(cause)}`, { cause }));
    });
    worker.once('exit', (code) => reject(new Error(`embedded database exited with code ${code}`)));
  });
  failed.catch(() => {}); // seen by whoever waits; a stop is nobody's failure
  return failed;
}

function nextMessage<K extends FromWorker['kind']>(
  worker: Worker,
  kind: K,
  matches: (message: Message<K>) => boolean,
): Promise<Message<K>> {
  return new Promise((resolve) => {
    const listen = (message: FromWorker) => {
      if (!isKind(message, kind) || !matches(message)) return;
      worker.off('message', listen);
      resolve(message);
    };
    worker.on('message', listen);
  });
}

function isKind<K extends FromWorker['kind']>(message: FromWorker, kind: K): message is Message<K> {
  return message.kind === kind;
}
