import { DomainError } from '../errors.ts';
import { startEmbeddingThread } from './built-in-embedding-thread.ts';
import type { Embedded } from './built-in-embedding-worker.ts';
import type { EmbeddingModel, Embeddings } from './models.ts';

export interface BuiltInEmbedding extends EmbeddingModel {
  readonly dimensions: number;
  /** Ends the thread; texts still waiting are rejected. */
  stop(): Promise<void>;
}

/**
 * Loads all-MiniLM-L6-v2 (8 bit, 384 dimensions, English, the first 256 tokens of a text) in a thread of its own that
 * embeds one text at a time: a query waits for one paragraph at most, some 15 ms. A thread that has ended is started
 * again with the next text. Throws when the weights are missing or not those expected.
 */
export async function startBuiltInEmbedding(): Promise<BuiltInEmbedding> {
  let thread = await startEmbeddingThread();
  const queues: Queues = { query: new Set(), document: new Set() };
  let isWorking = false;
  let isStopped = false;

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let text = takeNext(queues); text !== null; text = takeNext(queues)) {
      try {
        if (thread.hasEnded) thread = await startEmbeddingThread();
        text.resolve(await thread.embed(text.text));
      } catch (error) {
        text.reject(modelError(error));
      }
    }
    isWorking = false;
  }

  return {
    name: 'built-in/all-MiniLM-L6-v2',
    dimensions: 384,
    isInProcess: true,
    async embed(texts, { signal, kind = 'document' } = {}) {
      signal?.throwIfAborted();
      if (isStopped) throw modelError(new Error('it was stopped'));
      const call: Text[] = [];
      const results = Promise.all(
        texts.map(
          (text) =>
            new Promise<Embedded>((resolve, reject) => call.push({ text, resolve, reject })),
        ),
      );
      if (call.length > 0) queues[kind].add(call);
      const abort = () => drop(queues[kind], call, signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      void work();
      try {
        return combine(await results);
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async stop() {
      isStopped = true;
      for (const queue of [queues.query, queues.document]) {
        for (const call of queue) drop(queue, call, modelError(new Error('it was stopped')));
      }
      await thread.stop();
    },
  };
}

interface Text {
  readonly text: string;
  readonly resolve: (embedded: Embedded) => void;
  readonly reject: (reason: unknown) => void;
}

/** The texts of each call that still wait; the calls take turns, so that a book does not hold up a note. */
type Queues = Readonly<Record<'query' | 'document', Set<Text[]>>>;

function takeNext({ query, document }: Queues): Text | null {
  const queue = query.size > 0 ? query : document;
  const [call] = queue;
  const text = call?.shift();
  if (call === undefined || text === undefined) return null;
  queue.delete(call);
  if (call.length > 0) queue.add(call);
  return text;
}

function drop(queue: Set<Text[]>, call: Text[], reason: unknown): void {
  queue.delete(call);
  for (const text of call) text.reject(reason);
}

function combine(results: readonly Embedded[]): Embeddings {
  return {
    vectors: results.map(({ vector }) => vector),
    tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
    familiarity: results.map(({ familiarity }) => familiarity),
  };
}

function modelError(cause: unknown): DomainError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DomainError('MODEL_ERROR', `The built-in embedding model failed: ${reason}`, {
    cause,
    retryable: true,
  });
}
