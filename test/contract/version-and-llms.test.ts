import { beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { apiVersion } from '../../src/http/api-version.ts';
import openApi from '../../src/rest/openapi.json' with { type: 'json' };
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

test.each([
  '/',
  '/api/v1/usage',
  '/api/v1/openapi.json',
  '/api/v1/docs',
  '/graphql',
  '/mcp',
  '/v1/models',
  '/health/live',
  '/llms.txt',
  '/no-such-route',
  '/%zz',
])('%s has the version of the interface in a header', async (path) => {
  const response = await fetch(service.url + path, { redirect: 'manual' });
  expect(response.headers.get('API-Version')).toBe(apiVersion);
});

test('the OpenAPI document names the version of the service and of the interface', () => {
  expect(openApi.info).toMatchObject({
    version: packageJson.version,
    'x-api-version': apiVersion,
  });
});

test('the page of the dashboard has the version, for its menu', async () => {
  const page = await (await fetch(`${service.url}/dashboard`)).text();
  expect(page).toContain(`<meta name="service-version" content="${packageJson.version}" />`);
});

test('/metrics has the version of the service as a label', async () => {
  const response = await fetch(`${service.url}/metrics`);
  expect(await response.text()).toContain(
    `grounded_chat_build_info{version="${packageJson.version}"} 1\n`,
  );
});

test('/llms.txt is a text whose links and operations exist', async () => {
  const response = await fetch(`${service.url}/llms.txt`);
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^# grounded-chat\n\n> \w/);
  const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) {
    const { status } = await fetch(service.url + link);
    // The service refuses an API request without a key. The refusal shows that the link exists.
    expect([200, 400, 401, 405], link).toContain(status);
  }
  const operations = [...text.matchAll(/`(GET|POST) (\/[\w/{}]+)`/g)];
  expect(operations.length).toBeGreaterThan(4);
  const paths: Readonly<Record<string, object>> = openApi.paths;
  for (const [name, method = '', path = ''] of operations) {
    expect(Object.keys(paths[path] ?? {}), name).toContain(method.toLowerCase());
  }
});

test('/llms.txt is read only', async () => {
  const response = await fetch(`${service.url}/llms.txt`, { method: 'POST' });
  expect(response.status).toBe(405);
  expect(response.headers.get('Allow')).toBe('GET, HEAD');
});
