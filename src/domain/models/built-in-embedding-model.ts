import { Worker } from 'node:worker_threads';
import { DomainError } from '../errors.ts';
import type { WorkerMessage, WorkerRequest } from './built-in-embedding-worker.ts';
import type { EmbeddingModel, Embeddings, EmbedOptions } from './models.ts';

/** Far more than 256 tokens take. */
const RUN_MS = 2000;

export interface BuiltInEmbedding extends EmbeddingModel {
  readonly dimensions: number;
  /** Frees the thread; texts still waiting are rejected. */
  stop(): Promise<void>;
}

/**
 * Loads all-MiniLM-L6-v2 (8 bit, 384 dimensions, English, the first 256 tokens of a text) in a thread of its own,
 * which embeds one text at a time: a query waits for one paragraph at most, some 15 ms.
 * Throws when the weights are missing or not those expected.
 */
export async function startBuiltInEmbedding(): Promise<BuiltInEmbedding> {
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerUrl(), { workerData: busy.buffer });
  const waiting: Record<'query' | 'document', Text[]> = { query: [], document: [] };
  let current: Text | undefined;
  let stopped: Error | undefined;

  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  worker.on('message', (message: WorkerMessage) => {
    const text = current;
    current = undefined;
    next();
    if (message.type === 'embedded') text?.resolve(message);
    if (message.type === 'failed') text?.reject(modelError(message.message));
  });
  worker.on('error', (error) => end(modelError(error.message)));
  // Ending the process inside a run of the engine aborts it with a core dump.
  const awaitRun = () => Atomics.wait(busy, 0, 1, RUN_MS);
  process.on('exit', awaitRun);
  worker.on('exit', () => {
    process.off('exit', awaitRun);
    end(modelError('its thread has ended'));
  });
  worker.unref();

  function next(): void {
    if (current || stopped) return;
    current = waiting.query.shift() ?? waiting.document.shift();
    if (!current) return worker.unref();
    worker.ref();
    Atomics.store(busy, 0, 1);
    worker.postMessage({ text: current.text } satisfies WorkerRequest);
  }

  function end(error: Error): void {
    stopped ??= error;
    for (const text of [current, ...waiting.query, ...waiting.document]) text?.reject(stopped);
    current = undefined;
    waiting.query = [];
    waiting.document = [];
  }

  return {
    name: 'built-in/all-MiniLM-L6-v2',
    dimensions: 384,
    async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Embeddings> {
      const { signal, kind = 'document' } = options;
      signal?.throwIfAborted();
      if (stopped) throw stopped;
      const queue = waiting[kind];
      const own: Text[] = [];
      const embedded = texts.map(
        (text) => new Promise<Embedded>((resolve, reject) => own.push({ text, resolve, reject })),
      );
      queue.push(...own);
      next();
      const abort = () => {
        waiting[kind] = waiting[kind].filter((text) => !own.includes(text));
        for (const text of own) text.reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const results = await Promise.all(embedded);
        return {
          vectors: results.map((result) => result.vector),
          tokens: results.reduce((sum, result) => sum + result.tokens, 0),
        };
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async stop(): Promise<void> {
      end(modelError('it was stopped'));
      const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.ref();
      worker.postMessage('stop' satisfies WorkerRequest);
      await exited;
    },
  };
}

interface Embedded {
  readonly vector: Float32Array;
  readonly tokens: number;
}

interface Text {
  readonly text: string;
  readonly resolve: (embedded: Embedded) => void;
  readonly reject: (reason: unknown) => void;
}

/** The compiler rewrites imports and not URLs: the thread's file has the extension of this one. */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./built-in-embedding-worker.${extension}`, import.meta.url);
}

function modelError(message: string): DomainError {
  return new DomainError('MODEL_ERROR', `The built-in embedding model failed: ${message}`, {
    retryable: true,
  });
}
