import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeUnusedEmailsJob } from '../../src/domain/sign-in/remove-unused-emails.ts';
import { runRemoval } from '../support/run-removal.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ isWorker: false });
});
afterAll(() => service?.stop());

async function confirmEmail(name: string, days: number): Promise<string> {
  const userId = randomUUID();
  await service.system.pool.query(
    `insert into grounded.operator_emails (user_id, email, confirmed_at)
     values ($1, $2, now() - make_interval(days => $3))`,
    [userId, `${name}@example.org`, days],
  );
  return userId;
}

test('addresses of users who are not members are deleted after a day', async () => {
  const { organizationId } = await service.createTenant();
  const member = await confirmEmail('member', 40);
  await service.system.db.member.create({
    data: {
      id: randomUUID(),
      organizationId,
      email: 'member@example.org',
      userId: member,
      role: 'VIEWER',
    },
  });
  const invited = await confirmEmail('invited', 0);
  await confirmEmail('former', 2);
  await runRemoval(removeUnusedEmailsJob, service.adapters);
  const { rows } = await service.system.pool.query('select user_id from grounded.operator_emails');
  expect(rows.map(({ user_id }) => user_id).sort()).toEqual([member, invited].sort());
});
