import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type {
  PassageScores,
  TextEmbedding,
  WorkerMessage,
  WorkerRequest,
  WorkerTask,
} from './built-in-embedding-worker.ts';

/** The result of a task: an embedding of a text, or the scores of a passage. */
export type TaskResult = TextEmbedding | PassageScores;

/** The worker thread that runs the built-in embedding model. */
export interface EmbeddingThread {
  readonly hasExited: boolean;
  /**
   * Embeds one text or reads one passage. Call it again only after the previous call has settled.
   *
   * @throws Error when the model fails or the thread exits.
   */
  run(task: WorkerTask): Promise<TaskResult>;
  /** Stops the thread after the current task. */
  stop(): Promise<void>;
}

/**
 * Maximum time in milliseconds to wait for the current task when the process exits. Much longer than one takes.
 */
const maxInferenceMs = 2000;

/**
 * Starts the thread and loads the model.
 *
 * @throws Error when the model files are missing or have an unexpected hash.
 */
export async function startEmbeddingThread(): Promise<EmbeddingThread> {
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerUrl(), { workerData: busy.buffer });
  await once(worker, 'message');
  // An idle thread must not keep the process alive.
  worker.unref();
  let isStopping = false;
  let hasExited = false;
  let exitError: unknown = new Error('the embedding thread has exited');

  // Waits for the current task, because a process that exits during inference aborts with a core dump.
  const waitForInference = () => Atomics.wait(busy, 0, 1, maxInferenceMs);
  process.on('exit', waitForInference);
  worker.on('error', (error) => {
    exitError = error;
  });
  worker.on('exit', () => {
    hasExited = true;
    process.off('exit', waitForInference);
  });

  function post(request: WorkerRequest): void {
    worker.ref();
    worker.postMessage(request);
  }

  return {
    get hasExited() {
      return hasExited;
    },
    run: (task) =>
      new Promise((resolve, reject) => {
        if (hasExited) return reject(exitError);
        const onExit = () => reject(exitError);
        worker.once('exit', onExit);
        worker.once('message', (message: WorkerMessage) => {
          worker.off('exit', onExit);
          if (!isStopping) worker.unref();
          if (message.type === 'embedded' || message.type === 'read') resolve(message);
          else reject(new Error(message.type === 'failed' ? message.message : message.type));
        });
        Atomics.store(busy, 0, 1);
        post(task);
      }),
    async stop() {
      if (hasExited) return;
      isStopping = true;
      const exit = once(worker, 'exit');
      post('stop');
      await exit;
    },
  };
}

/**
 * Returns the URL of the worker file. Its extension is that of this file, because the compiler rewrites imports but not
 * URLs.
 */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./built-in-embedding-worker.${extension}`, import.meta.url);
}
