import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  defineJob,
  defineJobType,
  implementJob,
  storedPayload,
} from '../../src/platform/jobs/job.ts';

const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
const type = defineJobType({
  name: 'count',
  payload: z.object({ projectId: z.string() }),
  queue: { retryLimit: 1 },
  concurrency: 1,
});

test('the work receives the payload without what the queue added', async () => {
  const run = vi.fn(async () => {});
  const job = defineJob({ ...type, run });
  await job.run('services', { projectId: 'p', requestId: 'r' }, attempt);
  expect(run).toHaveBeenCalledExactlyOnceWith('services', { projectId: 'p' }, attempt);
});

test('a payload of another shape fails its job, which names it, and does not run', async () => {
  const run = vi.fn(async () => {});
  const job = implementJob(type, run);
  await expect(job.run(null, { project: 'p' }, attempt)).rejects.toThrow(
    'The payload of the job count is not valid',
  );
  await expect(job.run(null, null, attempt)).rejects.toThrow('count');
  expect(run).not.toHaveBeenCalled();
});

test('a worker leaves the payload of a later version to a newer one, and reads earlier ones', async () => {
  const run = vi.fn(async () => {});
  const later = storedPayload({ ...type, version: 2 }, { projectId: 'p' });
  expect(later).toEqual({ projectId: 'p', version: 2 });
  await expect(implementJob(type, run).run(null, later, attempt)).rejects.toThrow(
    'version 2, this worker knows 1',
  );
  await implementJob({ ...type, version: 2 }, run).run(
    null,
    storedPayload(type, { projectId: 'p' }),
    attempt,
  );
  expect(run).toHaveBeenCalledOnce();
});
