import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

const allowed = 'https://app.example.com';
let service: TestService;
let other: TestService;

beforeAll(async () => {
  const database = await sharedDatabase();
  service = await startTestService({ database, corsOrigins: [allowed, 'http://localhost:5173'] });
  other = await startTestService({ database });
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
});

function preflight(path: string, origin: string, url = service.url): Promise<Response> {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': 'DELETE',
    'Access-Control-Request-Headers': 'authorization',
  };
  return fetch(`${url}${path}`, { method: 'OPTIONS', headers });
}

const routes = ['/api/v1/knowledge/documents', '/api/v1/chat', '/graphql', '/graphql/stream'];

describe.each(routes)('%s', (path) => {
  test('can be called by a page of an allowed origin', async () => {
    const answer = await preflight(path, allowed);
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-request-id',
    });
    expect(answer.headers.has('Access-Control-Allow-Credentials')).toBe(false);
  });

  test('lets the page read errors, with their headers', async () => {
    const headers = { Origin: allowed, Accept: 'application/graphql-response+json' };
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(allowed);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
    expect(answer.headers.get('Vary')).toContain('Origin');
  });

  test.each(['https://evil.example', 'null', `${allowed}.evil.example`, 'http://app.example.com'])(
    'cannot be called by a page of %s',
    async (origin) => {
      const answer = await preflight(path, origin);
      expect(answer.status).not.toBe(204);
      expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false);
    },
  );

  test('cannot be called by any page without the setting', async () => {
    const answer = await preflight(path, allowed, other.url);
    expect(answer.status).not.toBe(204);
    expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false);
  });
});

test.each(['/v1/models', '/mcp', '/dashboard/', '/health/live', '/metrics'])(
  'other routes stay closed: %s',
  async (path) => {
    const answer = await fetch(`${service.url}${path}`, { headers: { Origin: allowed } });
    expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false);
  },
);
