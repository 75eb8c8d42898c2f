import { defineJobType } from '../../../platform/jobs/job.ts';
import { failDocumentJob } from './fail-document.ts';

/**
 * The group of a job is its organization, so that the jobs of one organization never block those of another. Many jobs
 * run at the same time, because most wait for an embedding server. Extraction processes, large documents and writes to
 * the database have their own limits.
 */
export const ingestDocumentJobType = defineJobType({
  name: 'ingest-document',
  payload: failDocumentJob.payload,
  queue: {
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    expireInSeconds: 3600,
  },
  deadLetter: failDocumentJob,
  concurrency: 10,
  groupConcurrency: 7,
});
