import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createClient, GroundedChatError } from '../../packages/client/src/index.ts';

const addresses = ['https://chat.example.com', '/support', ''];
const endings = ['', '/', '/api/v1', '/api/v1/'];

test.each(addresses)('the address "%s" may end with the path of the API', async (address) => {
  for (const ending of endings) {
    const sent: string[] = [];
    const client = createClient({
      baseUrl: `${address}${ending}`,
      fetch: async (input) => {
        sent.push(String(input));
        return Response.json({});
      },
    });
    await client.usage();
    expect(sent, ending).toEqual([`${address}/api/v1/usage`]);
  }
});

test('a missing address is explained', () => {
  const options = JSON.parse('{"apiKey": "sk_test"}');
  expect(() => createClient(options)).toThrow('`baseUrl` is missing: pass the address');
});

const key = 'sk_secret';

test.each([
  ['the key in place of the address', { baseUrl: key }],
  ['a user', { baseUrl: `https://${key}@chat.example.com` }],
  ['a wrong port', { baseUrl: `https://chat.example.com:${key}` }],
  ['a query', { baseUrl: `https://chat.example.com/?key=${key}` }],
  ['no protocol', { baseUrl: `//${key}` }],
  ['another protocol', { baseUrl: `ftp://${key}` }],
  ['a key of two lines', { apiKey: `${key}\n` }],
  ['a key with a letter that no header can have', { apiKey: `${key}é` }],
])('%s is refused without the key in the error', (_, options) => {
  const error = failure(() => createClient({ baseUrl: 'https://chat.example.com', ...options }));
  expect(error).toBeInstanceOf(GroundedChatError);
  expect(inspect(error)).not.toContain(key);
});

test.each([
  ['the connection is refused', undefined],
  ['`fetch` quotes the key', () => Promise.reject(new TypeError(`Bearer ${key} is invalid`))],
  [
    'a cause quotes the key',
    () => Promise.reject(new TypeError('fetch failed', { cause: new Error(`Bearer ${key}`) })),
  ],
])('the error contains no key if %s', async (_, fetch) => {
  const client = createClient({
    baseUrl: 'http://127.0.0.1:9',
    apiKey: key,
    maxRetries: 0,
    ...(fetch && { fetch }),
  });
  const calls = [
    client.usage(),
    client.chat({ message: 'Hello' }),
    client.chat.stream({ message: 'Hello' }).result(),
  ];
  for (const result of await Promise.allSettled(calls)) {
    expect(result.status).toBe('rejected');
    expect(inspect(result, { depth: 9, showHidden: true })).not.toContain(key);
  }
});

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}
