import { DomainError } from '../platform/errors.ts';
import { type EmbeddingThread, startEmbeddingThread } from './built-in-embedding-thread.ts';
import type { TextEmbedding } from './built-in-embedding-worker.ts';
import type { EmbeddingModel, Embeddings } from './models.ts';

export interface BuiltInEmbedding extends EmbeddingModel {
  readonly dimensions: number;
  /**
   * Loads the model, unless it is loaded.
   *
   * @throws Error when the model files are missing or have an unexpected hash.
   */
  load(): Promise<void>;
  /** Stops the worker thread. Calls for queued texts are rejected. */
  stop(): Promise<void>;
}

/** Creates the built-in embedding model and loads it now instead of at the first text. */
export async function startBuiltInEmbedding(): Promise<BuiltInEmbedding> {
  const model = createBuiltInEmbedding();
  await model.load();
  return model;
}

/**
 * Creates the built-in embedding model all-MiniLM-L6-v2: 8 bit, 384 dimensions, English. It reads the first 256 tokens
 * of a text. It is loaded for the first text, because it takes 100 MB and a large part of the start of a process.
 *
 * The model runs in a worker thread and embeds one text at a time, so a query waits for at most one document text
 * (about 15 ms). If the thread exits, the next text starts a new thread.
 */
export function createBuiltInEmbedding(): BuiltInEmbedding {
  let thread: EmbeddingThread | undefined;
  let loading: Promise<EmbeddingThread> | undefined;
  const queues: Queues = { query: new Set(), document: new Set() };
  let isProcessing = false;
  let isStopped = false;

  async function startThread(): Promise<EmbeddingThread> {
    try {
      thread = await startEmbeddingThread();
      return thread;
    } finally {
      loading = undefined;
    }
  }
  async function loadThread(): Promise<EmbeddingThread> {
    if (thread !== undefined && !thread.hasExited) return thread;
    loading ??= startThread();
    return loading;
  }
  async function processQueues(): Promise<void> {
    if (isProcessing) return;
    isProcessing = true;
    for (let text = takeNext(queues); text !== null; text = takeNext(queues)) {
      try {
        const loaded = await loadThread();
        text.resolve(await loaded.embed(text.text));
      } catch (error) {
        text.reject(modelError(error));
      }
    }
    isProcessing = false;
  }

  return {
    name: 'built-in/all-MiniLM-L6-v2',
    dimensions: 384,
    isInProcess: true,
    async load() {
      await loadThread();
    },
    async embed(texts, { signal, kind = 'document' } = {}) {
      signal?.throwIfAborted();
      if (isStopped) throw modelError(new Error('the model is stopped'));
      const call: PendingText[] = [];
      const results = Promise.all(
        texts.map(
          (text) =>
            new Promise<TextEmbedding>((resolve, reject) => call.push({ text, resolve, reject })),
        ),
      );
      if (call.length > 0) queues[kind].add(call);
      const abort = () => rejectCall(queues[kind], call, signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      void processQueues();
      try {
        return combine(await results);
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async stop() {
      isStopped = true;
      for (const queue of [queues.query, queues.document]) {
        for (const call of queue)
          rejectCall(queue, call, modelError(new Error('the model is stopped')));
      }
      await loading?.catch(() => {});
      await thread?.stop();
    },
  };
}

interface PendingText {
  readonly text: string;
  readonly resolve: (embedded: TextEmbedding) => void;
  readonly reject: (reason: unknown) => void;
}

/** Queued texts, in one list per call. Calls take turns, so that a long document does not delay a short one. */
type Queues = Readonly<Record<'query' | 'document', Set<PendingText[]>>>;

function takeNext({ query, document }: Queues): PendingText | null {
  const queue = query.size > 0 ? query : document;
  const [call] = queue;
  const text = call?.shift();
  if (call === undefined || text === undefined) return null;
  queue.delete(call);
  if (call.length > 0) queue.add(call);
  return text;
}

function rejectCall(queue: Set<PendingText[]>, call: PendingText[], reason: unknown): void {
  queue.delete(call);
  for (const text of call) text.reject(reason);
}

function combine(results: readonly TextEmbedding[]): Embeddings {
  return {
    vectors: results.map(({ vector }) => vector),
    tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
    vocabularyCoverage: results.map(({ vocabularyCoverage }) => vocabularyCoverage),
  };
}

function modelError(cause: unknown): DomainError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DomainError('MODEL_ERROR', `The built-in embedding model failed: ${reason}`, {
    cause,
    retryable: true,
  });
}
