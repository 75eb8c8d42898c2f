import { beforeAll, describe, expect, test } from 'vitest';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { newId } from '../../src/platform/ids.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

const newEmail = () => `${newId()}@example.com`;

async function signIn(email: string, userAgent?: string) {
  const secret = await createSignInSecret(service.adapters, email);
  const response = await send('POST', '', '', { secret }, userAgent);
  const cookie = response.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const { accessToken } = await response.json();
  const client = graphqlClient(service.url, accessToken);
  const ask = async () => (await client.send('{ me { id } }')).errors?.[0]?.extensions.code ?? 'ok';
  return { cookie, ask };
}

function send(
  method: string,
  path: string,
  cookie: string,
  body?: object,
  userAgent = 'node',
): Promise<Response> {
  return fetch(`${service.url}/dashboard/session${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Cookie: cookie, 'User-Agent': userAgent },
    ...(body && { body: JSON.stringify(body) }),
  });
}

describe('a session of the dashboard', () => {
  test('ends its access tokens at once when it is signed out', async () => {
    const { cookie, ask } = await signIn(newEmail());
    expect(await ask()).toBe('ok');
    expect((await send('DELETE', '', cookie)).status).toBe(204);
    expect(await ask()).toBe('UNAUTHENTICATED');
    expect((await send('POST', '/token', cookie, {})).status).toBe(401);
  });

  test('ends 30 days after the sign-in, however often it was used', async () => {
    const email = newEmail();
    const { cookie, ask } = await signIn(email);
    expect((await send('POST', '/token', cookie, {})).status).toBe(200);
    const age = (days: number) =>
      service.ownerPool.query(
        `update grounded.operator_sessions set created_at = created_at - make_interval(days => $2) where email = $1`,
        [email, days],
      );
    await age(29);
    expect((await send('POST', '/token', cookie, {})).status).toBe(200);
    await age(1);
    expect((await send('POST', '/token', cookie, {})).status).toBe(401);
    expect(await ask()).toBe('UNAUTHENTICATED');
  });

  test('is in the list of its operator, who can sign out everywhere', async () => {
    const email = newEmail();
    const [first, second, stranger] = [
      await signIn(email),
      await signIn(email),
      await signIn(newEmail()),
    ];
    const { sessions } = await (await send('GET', '/all', first.cookie)).json();
    expect(sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([
      false,
      true,
    ]);
    expect((await send('DELETE', '/all', first.cookie)).status).toBe(204);
    expect([await first.ask(), await second.ask(), await stranger.ask()]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      'ok',
    ]);
  });

  test('is listed with its browser and its last use', async () => {
    const email = newEmail();
    const { cookie } = await signIn(email, `Mozilla/5.0 ${'x'.repeat(400)}`);
    const list = async () => (await (await send('GET', '/all', cookie)).json()).sessions[0];
    const { createdAt, lastUsedAt, userAgent } = await list();
    expect(lastUsedAt).toBe(createdAt);
    expect(userAgent).toBe(`Mozilla/5.0 ${'x'.repeat(288)}`);
    await service.ownerPool.query(
      `update grounded.operator_sessions set last_used_at = now() - interval '1 day' where email = $1`,
      [email],
    );
    await send('POST', '/token', cookie, {});
    expect(Date.parse((await list()).lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  });

  test('can be ended from another session of its operator, and by nobody else', async () => {
    const email = newEmail();
    const [first, second, stranger] = [
      await signIn(email),
      await signIn(email),
      await signIn(newEmail()),
    ];
    const { sessions } = await (await send('GET', '/all', first.cookie)).json();
    const other = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    for (const id of [other.id, 'x', newId()]) {
      expect((await send('DELETE', `/all/${id}`, stranger.cookie)).status).toBe(204);
    }
    expect(await second.ask()).toBe('ok');
    expect((await send('DELETE', `/all/${other.id}`, '')).status).toBe(401);
    expect((await send('DELETE', `/all/${other.id}`, first.cookie)).status).toBe(204);
    expect([await first.ask(), await second.ask()]).toEqual(['ok', 'UNAUTHENTICATED']);
  });

  test('is listed and ended by its operator only', async () => {
    expect((await send('GET', '/all', '')).status).toBe(401);
    expect((await send('DELETE', '/all', 'grounded_session=x')).status).toBe(401);
  });
});
