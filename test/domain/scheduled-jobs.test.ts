import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let clock: PgBoss;

beforeAll(async () => {
  service = await startTestService();
  clock = new PgBoss({
    connectionString: service.database.url,
    schema: 'grounded_jobs',
    max: 1,
    supervise: false,
    schedule: false,
  });
  await clock.start();
});

afterAll(async () => {
  await clock.stop({ graceful: false });
  await service.stop();
});

it('scheduled jobs run at their scheduled times', async () => {
  const schedules = await clock.getSchedules();
  expect(schedules.map(({ name }) => name)).toContain('close-stale-answers');

  for (const { name, data } of schedules) {
    const id = await clock.send(name, data ?? null);
    const state = await waitUntil(async () => {
      const [job] = await clock.findJobs(name, { id: id ?? '' });
      return ['completed', 'failed'].includes(job?.state ?? '') && job?.state;
    });
    expect(`${name}: ${state}`).toBe(`${name}: completed`);
  }
});
