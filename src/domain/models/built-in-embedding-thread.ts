import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Embedded, WorkerMessage, WorkerRequest } from './built-in-embedding-worker.ts';

/** The thread that runs the built-in embedding model. */
export interface EmbeddingThread {
  readonly hasEnded: boolean;
  /** One text at a time. Throws when the model fails or the thread ends. */
  embed(text: string): Promise<Embedded>;
  /** Ends the thread once it is idle. */
  stop(): Promise<void>;
}

/** Far more than one text takes. */
const longestRunMs = 2000;

/** Starts the thread and loads the model. Throws when the weights are missing or not those expected. */
export async function startEmbeddingThread(): Promise<EmbeddingThread> {
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerUrl(), { workerData: busy.buffer });
  await once(worker, 'message');
  // An idle thread does not keep the process alive.
  worker.unref();
  let isStopping = false;
  let hasEnded = false;
  let endError: unknown = new Error('the thread has ended');

  // To end the process inside a run of the engine would abort it with a core dump.
  const awaitRun = () => Atomics.wait(busy, 0, 1, longestRunMs);
  process.on('exit', awaitRun);
  worker.on('error', (error) => {
    endError = error;
  });
  worker.on('exit', () => {
    hasEnded = true;
    process.off('exit', awaitRun);
  });

  function post(request: WorkerRequest): void {
    worker.ref();
    worker.postMessage(request);
  }

  return {
    get hasEnded() {
      return hasEnded;
    },
    embed: (text) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(endError);
        const onExit = () => reject(endError);
        worker.once('exit', onExit);
        worker.once('message', (message: WorkerMessage) => {
          worker.off('exit', onExit);
          if (!isStopping) worker.unref();
          if (message.type === 'embedded') resolve(message);
          else reject(new Error(message.type === 'failed' ? message.message : message.type));
        });
        Atomics.store(busy, 0, 1);
        post({ text });
      }),
    async stop() {
      if (hasEnded) return;
      isStopping = true;
      const exit = once(worker, 'exit');
      post('stop');
      await exit;
    },
  };
}

/** The compiler rewrites imports and not URLs: the thread's file has the extension of this one. */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./built-in-embedding-worker.${extension}`, import.meta.url);
}
