import type { Logger } from 'pino';
import type { BuiltInEmbedding } from '../embedding/built-in-embedding-model.ts';
import type { AnswerReader } from '../models.ts';

/**
 * Creates the built-in answer reader, a small cross-encoder for English: 8 bit, trained from all-MiniLM-L6-v2. It runs
 * in the thread of the built-in embedding model, and is loaded for the first question. See training/reader.
 *
 * If the reader fails, it is unavailable until the process restarts. The failure is logged once.
 */
export function builtInAnswerReader(options: {
  readonly model: Pick<BuiltInEmbedding, 'read'>;
  readonly log: Pick<Logger, 'warn'>;
}): AnswerReader {
  let isAvailable = true;
  return {
    async read(question, passages, signal) {
      if (!isAvailable) return null;
      try {
        return await options.model.read(question, passages, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isAvailable) {
          options.log.warn(
            { err: error },
            'the answer reader failed: answers are chosen without it',
          );
        }
        isAvailable = false;
        return null;
      }
    },
  };
}
