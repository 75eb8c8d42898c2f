import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { Adapters } from '../context.ts';

/**
 * Deletes the file of a document that was replaced or deleted. Enqueued in the transaction that changes the document's
 * row.
 */
export const removeFileJob = defineJob({
  name: 'remove-file',
  payload: z.object({ key: z.string() }),
  queue: { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 },
  concurrency: 1,
  run: ({ storage }: Adapters, { key }, { signal }) => storage.remove([key], signal),
});
