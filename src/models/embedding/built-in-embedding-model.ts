import { DomainError } from '../../platform/errors.ts';
import type { EmbeddingModel, Embeddings } from '../models.ts';
import {
  type EmbeddingThread,
  startEmbeddingThread,
  type TaskResult,
} from './built-in-embedding-thread.ts';
import type { WorkerTask } from './built-in-embedding-worker.ts';

export interface BuiltInEmbedding extends EmbeddingModel {
  readonly dimensions: number;
  /**
   * Loads the model if it is not loaded yet.
   *
   * @throws Error when the model files are missing or have an unexpected hash.
   */
  load(): Promise<void>;
  /**
   * Reads passages with the built-in answer reader. The reader runs in the same thread as the embedding model. See
   * `AnswerReader.read`.
   *
   * @throws DomainError MODEL_ERROR when the reader fails.
   */
  read(
    question: string,
    passages: readonly (readonly string[])[],
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]>;
  /** Stops the worker thread. Calls for queued texts are rejected. */
  stop(): Promise<void>;
}

/** Creates the built-in embedding model and loads it at once, not only when the first text arrives. */
export async function startBuiltInEmbedding(): Promise<BuiltInEmbedding> {
  const model = createBuiltInEmbedding();
  await model.load();
  return model;
}

/**
 * Creates the built-in embedding model all-MiniLM-L6-v2: 8 bit, 384 dimensions, English. It reads the first 256 tokens
 * of a text. The model is loaded when the first text arrives, because it needs 100 MB and would take a large part of
 * the time in which a process starts.
 *
 * The model runs in a worker thread and processes one text at a time. So a query waits for at most one document text
 * (about 15 ms) or one passage of an answer (10 to 100 ms). If the thread exits, the next text starts a new thread.
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
    for (let next = takeNext(queues); next !== null; next = takeNext(queues)) {
      try {
        const loaded = await loadThread();
        next.resolve(await loaded.run(next.task));
      } catch (error) {
        next.reject(modelError(error));
      }
    }
    isProcessing = false;
  }
  async function runAll(
    tasks: readonly WorkerTask[],
    queue: Set<PendingTask[]>,
    signal: AbortSignal | undefined,
  ): Promise<TaskResult[]> {
    signal?.throwIfAborted();
    if (isStopped) throw modelError(new Error('the model is stopped'));
    const call: PendingTask[] = [];
    const results = Promise.all(
      tasks.map(
        (task) =>
          new Promise<TaskResult>((resolve, reject) => call.push({ task, resolve, reject })),
      ),
    );
    if (call.length > 0) queue.add(call);
    const abort = () => rejectCall(queue, call, signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    void processQueues();
    try {
      return await results;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  return {
    name: 'built-in/all-MiniLM-L6-v2',
    dimensions: 384,
    isInProcess: true,
    async load() {
      await loadThread();
    },
    async embed(texts, { signal, kind = 'document' } = {}) {
      const tasks = texts.map((text) => ({ text }));
      return combine(await runAll(tasks, queues[kind], signal));
    },
    async read(question, passages, signal) {
      const tasks = passages.map((texts) => ({ passage: { question, texts } }));
      const results = await runAll(tasks, queues.query, signal);
      return results.map((result) => (result.type === 'read' ? result.scores : []));
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

interface PendingTask {
  readonly task: WorkerTask;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Queued queries and document passages, one list per call. Calls take turns, so that a long document does not delay a short one.
 */
type Queues = Readonly<Record<'query' | 'document', Set<PendingTask[]>>>;

function takeNext({ query, document }: Queues): PendingTask | null {
  const queue = query.size > 0 ? query : document;
  const [call] = queue;
  const task = call?.shift();
  if (call === undefined || task === undefined) return null;
  queue.delete(call);
  if (call.length > 0) queue.add(call);
  return task;
}

function rejectCall(queue: Set<PendingTask[]>, call: PendingTask[], reason: unknown): void {
  queue.delete(call);
  for (const task of call) task.reject(reason);
}

function combine(results: readonly TaskResult[]): Embeddings {
  const embedded = results.filter((result) => result.type === 'embedded');
  return {
    vectors: embedded.map(({ vector }) => vector),
    tokens: embedded.reduce((sum, { tokens }) => sum + tokens, 0),
    vocabularyCoverage: embedded.map(({ vocabularyCoverage }) => vocabularyCoverage),
  };
}

function modelError(cause: unknown): DomainError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DomainError('MODEL_ERROR', `The built-in embedding model failed: ${reason}`, {
    cause,
    retryable: true,
  });
}
