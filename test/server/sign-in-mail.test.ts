import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { newId } from '../../src/platform/ids.ts';
import { type MailedService, startMailedService } from '../support/servers/mailed-service.ts';
import { sharedService } from '../support/shared-service.ts';

let mailed: MailedService;
let organizationId: string;

beforeAll(async () => {
  mailed = await startMailedService();
}, 60_000);
afterAll(() => mailed?.stop());
beforeEach(async () => {
  mailed.mailServer.received.length = 0;
  ({ organizationId } = await mailed.service.createTenant());
});

const post = (path: string, body: unknown, url = mailed.service.url) =>
  fetch(`${url}/dashboard/session${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

async function member(): Promise<string> {
  const email = `${newId()}@example.com`;
  await inviteMember(mailed.service.system, { organizationId, email, role: 'AGENT' });
  return email;
}

const mailsTo = (email: string) =>
  mailed.mailServer.received.filter(({ recipients }) => recipients.includes(email));

test('a member gets a link that signs in once, and a stranger the same response but no e-mail', async () => {
  const email = await member();
  const stranger = `${newId()}@example.com`;
  for (const address of [stranger, 'no address', email.toUpperCase()]) {
    const response = await post('/link', { email: address });
    expect([response.status, await response.json()]).toEqual([202, {}]);
  }
  await expect.poll(() => mailsTo(email)).toHaveLength(1);
  expect(mailed.mailServer.received).toHaveLength(1);
  const raw = mailsTo(email)[0]?.raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
  expect(raw).toContain('https://chat.example.com/dashboard/#sign-in=');
  const secret = /#sign-in=([\w-]+)/.exec(raw)?.[1];
  expect((await post('', { secret })).status).toBe(200);
  expect((await post('', { secret })).status).toBe(401);
});

test('an address gets at most five links an hour, and the response does not change', async () => {
  const [email, other] = [await member(), await member()];
  for (let n = 0; n < 7; n += 1) expect((await post('/link', { email })).status).toBe(202);
  await post('/link', { email: other });
  await expect.poll(() => mailsTo(other)).toHaveLength(1);
  await expect.poll(() => mailsTo(email)).toHaveLength(5);
});

test('an expired invitation and a failing mail server send nothing', async () => {
  const email = await member();
  mailed.mailServer.mode = 'refuse';
  expect((await post('/link', { email })).status).toBe(202);
  await expect.poll(() => mailed.log.text()).toContain('a sign-in link was not sent by e-mail');
  mailed.mailServer.mode = 'accept';
  const where = { organizationId_email: { organizationId, email } };
  const data = { invitationExpiresAt: new Date(0) };
  await mailed.service.system.db.member.update({ where, data });
  await post('/link', { email });
  const other = await member();
  await post('/link', { email: other });
  await expect.poll(() => mailsTo(other)).toHaveLength(1);
  expect(mailsTo(email)).toEqual([]);
});

test('the sign-in page offers e-mails only with a mail server', async () => {
  const settings = async (url: string) => (await fetch(`${url}/dashboard/sign-in.json`)).json();
  expect(await settings(mailed.service.url)).toEqual({ type: 'link', mailsLinks: true });
  const { url } = await sharedService();
  expect(await settings(url)).toEqual({ type: 'link' });
  expect((await post('/link', { email: 'a@example.com' }, url)).status).toBe(404);
});
