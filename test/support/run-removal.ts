import type { Job } from '../../src/platform/jobs/job.ts';

/** Runs a job that deletes old rows, as the worker does on its schedule. */
export function runRemoval<Services>(
  job: Job<Services>,
  services: Services,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  return job.run(services, {}, { signal, isLast: false, requestId: null });
}
