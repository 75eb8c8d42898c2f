import { closeStaleAnswers } from '../chat/turn.ts';
import type { Adapters } from '../context.ts';
import { failDocument, ingestDocument } from '../knowledge/ingest-document.ts';
import { removeRetiredVectors } from '../knowledge/reindex.ts';
import type { JobHandlers } from './queue.ts';

/** Everything that runs later, and what does it. */
export function jobHandlers(adapters: Adapters): JobHandlers {
  return {
    'ingest-document': {
      concurrency: 4,
      run: (payload, attempt) => ingestDocument(adapters, payload, attempt),
    },
    'fail-document': { concurrency: 1, run: (payload) => failDocument(adapters, payload) },
    'remove-file': { concurrency: 1, run: ({ key }) => adapters.storage.remove(key) },
    'remove-retired-vectors': { concurrency: 1, run: () => removeRetiredVectors(adapters) },
    'close-stale-answers': { concurrency: 1, run: () => closeStaleAnswers(adapters) },
  };
}
