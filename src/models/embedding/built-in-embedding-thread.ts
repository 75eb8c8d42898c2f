import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type {
  PassageScores,
  TextEmbedding,
  WorkerMessage,
  WorkerRequest,
  WorkerTask,
} from './built-in-embedding-worker.ts';

/** The result of a task: either the embedding of a text, or the scores of a passage. */
export type TaskResult = TextEmbedding | PassageScores;

/** The worker thread that runs the built-in embedding model. */
export interface EmbeddingThread {
  readonly hasExited: boolean;
  /**
   * Embeds one text or reads one passage. Wait until the previous call has settled before you call it again.
   *
   * @throws Error when the model fails or the thread exits.
   */
  run(task: WorkerTask): Promise<TaskResult>;
  /** Stops the thread after the current task. */
  stop(): Promise<void>;
}

/**
 * When the process exits, it waits at most this many milliseconds for the current task. A task takes much less time.
 */
const maxInferenceMs = 2000;

/**
 * Starts the thread and loads the model.
 *
 * @throws Error when the model files are missing or have an unexpected hash.
 */
export async function startEmbeddingThread(): Promise<EmbeddingThread> {
  // ONNX Runtime sends telemetry to Microsoft unless the environment of the process says otherwise. Threads cannot set it.
  // biome-ignore lint/style/noProcessEnv: a setting for native code, not of the service
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerUrl(), { workerData: busy.buffer });
  await once(worker, 'message');
  // An idle thread must not prevent the process from exiting.
  worker.unref();
  let isStopping = false;
  let hasExited = false;
  let exitError: unknown = new Error('the embedding thread has exited');

  // Waits for the current task. If a process exits during inference, it aborts with a core dump.
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
 * Returns the URL of the worker file. The worker file has the same extension as this file. The extension is added here,
 * because the compiler rewrites imports but not URLs.
 */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./built-in-embedding-worker.${extension}`, import.meta.url);
}
