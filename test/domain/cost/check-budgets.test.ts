import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkBudgets } from '../../../src/domain/cost/check-budgets.ts';
import { setModelPrices } from '../../../src/domain/cost/model-prices.ts';
import type { BudgetInput } from '../../../src/domain/organizations/budget.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { webhookEvents } from '../../../src/domain/webhooks/webhook-events.ts';
import { type MailedService, startMailedService } from '../../support/servers/mailed-service.ts';
import type { Tenant } from '../../support/service.ts';

let mailed: MailedService;
let tenant: Tenant;

beforeAll(async () => {
  mailed = await startMailedService();
});
afterAll(() => mailed?.stop());
beforeEach(async () => {
  tenant = await mailed.service.createTenant();
  mailed.mailServer.mode = 'accept';
  const price = { model: 'large', kind: 'INPUT', perMillion: 1, currency: 'EUR' } as const;
  const { organizationId } = tenant;
  await setModelPrices(mailed.service.system, { organizationId, prices: [price] });
});

const setBudget = (budget: BudgetInput | null) =>
  updateProject(mailed.service.system, { id: tenant.projectId, budget });

/** Uses tokens of the given cost in EUR. */
async function spend(euros: number): Promise<void> {
  const { tokenCounter } = mailed.service.adapters;
  const tokens = euros * 1_000_000;
  tokenCounter.add(tenant.projectId, [{ model: 'large', kind: 'INPUT', tokens }]);
  await tokenCounter.flush();
}

const check = () => checkBudgets(mailed.service.adapters, new AbortController().signal);

async function warnings(): Promise<unknown[]> {
  const events = await mailed.service.system.db.webhookEvent.findMany({
    where: { projectId: tenant.projectId, type: 'budget.warning' },
    orderBy: { id: 'asc' },
  });
  return events.map(({ data }) => webhookEvents['budget.warning'].data.strict().parse(data));
}

const mailsTo = (email: string) =>
  mailed.mailServer.received.filter(({ recipients }) => recipients.includes(email));

test('a warning is sent once a month at the percentage and at 100, and nothing stops', async () => {
  await setBudget({ monthlyAmount: 10, warnAtPercent: 60 });
  await spend(5.9);
  await check();
  expect(await warnings()).toEqual([]);
  await spend(0.1);
  await Promise.all([check(), check(), check()]);
  await check();
  const { organizationId, projectId } = tenant;
  const month = new Date().toISOString().slice(0, 7);
  const common = { organizationId, projectId, month, budget: '10.000000', currency: 'EUR' };
  const first = { ...common, percent: 60, spent: '6.000000' };
  expect(await warnings()).toEqual([first]);
  await spend(20);
  await check();
  await check();
  expect(await warnings()).toEqual([first, { ...common, percent: 100, spent: '26.000000' }]);
});

test('100 % is one warning, a budget that is reached at once gives both, a new budget warns again', async () => {
  await setBudget({ monthlyAmount: 10, warnAtPercent: 100 });
  await spend(30);
  await check();
  expect(await warnings()).toMatchObject([{ percent: 100 }]);
  await setBudget({ monthlyAmount: 20 });
  await check();
  expect(await warnings()).toMatchObject([{ percent: 100 }, { percent: 80 }, { percent: 100 }]);
  await setBudget(null);
  await check();
  expect(await warnings()).toHaveLength(3);
});

test('owners and admins get an e-mail, agents and invited people do not', async () => {
  const { organizationId } = tenant;
  const addresses = ['OWNER', 'ADMIN', 'AGENT'].map((role) => {
    return { role, email: `${role.toLowerCase()}-${organizationId}@example.com` } as const;
  });
  for (const { role, email } of addresses) {
    await mailed.member(organizationId, role as 'OWNER', email);
  }
  await setBudget({ monthlyAmount: 10 });
  await spend(8.5);
  mailed.mailServer.mode = 'refuse';
  await check();
  expect(await warnings()).toHaveLength(1);
  mailed.mailServer.mode = 'accept';
  const sent = mailed.mailServer.received.length;
  await check();
  expect(mailed.mailServer.received).toHaveLength(sent);
  await spend(1.5);
  await check();
  const got = addresses.map(({ email }) => {
    return mailsTo(email).filter(({ raw }) => raw.includes('of the budget of')).length;
  });
  expect(got).toEqual([1, 1, 0]);
  const [mail] = mailsTo(addresses[0]?.email ?? '').slice(-1);
  expect(mail?.raw).toContain('Subject: 100 % of the budget of');
  expect(mail?.raw.replaceAll('=\r\n', '')).toContain('has used 10.00 of its budget of 10.00 EUR');
});
