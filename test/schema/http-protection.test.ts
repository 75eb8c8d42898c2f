import { beforeAll, describe, expect, test } from 'vitest';
import { openConnection } from '../support/api/raw-connection.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

const graphqlJson = 'application/graphql-response+json';

function post(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
}

async function codeOf(response: Response): Promise<string> {
  return (await response.json()).errors?.[0]?.extensions.code;
}

test('GraphQL has the security headers of every other page', async () => {
  const { headers } = await post('{ __typename }');
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
});

describe('an answer without data', () => {
  test('is 401 for a bad token, if the client accepts GraphQL over HTTP', async () => {
    const response = await post('{ __typename }', {
      Authorization: 'Bearer sk_x',
      Accept: graphqlJson,
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(await codeOf(response)).toBe('UNAUTHENTICATED');
  });

  test('is 429 with Retry-After above the rate limit', async () => {
    const { key, organizationId } = await service.createTenant();
    const secret = await key();
    await service.ownerPool.query(
      'update grounded.organizations set requests_per_minute = 1 where id = $1',
      [organizationId],
    );
    const headers = { Authorization: `Bearer ${secret}`, Accept: graphqlJson };
    expect((await post('{ __typename }', headers)).status).toBe(200);
    const response = await post('{ __typename }', headers);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await codeOf(response)).toBe('RATE_LIMITED');
  });

  test('is 200 in plain JSON', async () => {
    const response = await post('{ __typename }', {
      Authorization: 'Bearer sk_x',
      Accept: 'application/json',
    });
    expect(response.status).toBe(200);
  });
});

describe('two Authorization headers', () => {
  test.each(['/graphql', '/api/v1/conversations', '/dashboard/upload'])(
    'are refused at %s',
    async (path) => {
      const { key } = await service.createTenant();
      const connection = await openConnection(Number(new URL(service.url).port));
      const header = `Authorization: Bearer ${await key()}\r\n`;
      connection.send(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}${header}\r\n`,
      );
      const [response] = await connection.responses();
      expect(response?.status).toBe(400);
      expect(response?.body).toContain('at most one Authorization header');
    },
  );
});

test.each(['a\u0000b@example.com', 'a\ud800@example.com'])(
  'a signed token with the e-mail %j is refused with UNAUTHENTICATED',
  async (email) => {
    const token = await service.token({
      role: 'authenticated',
      sub: '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11',
      email,
    });
    const response = await post('{ me { id } }', {
      Authorization: `Bearer ${token}`,
      Accept: graphqlJson,
    });
    expect(response.status).toBe(401);
  },
);
