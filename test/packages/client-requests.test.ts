import { describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  createClient,
  TimeoutError,
} from '../../packages/client/src/index.ts';
import { withFakeTime } from '../support/fake-time.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Answer = (init: RequestInit) => Response | Promise<Response>;

const ok: Answer = () => Response.json({ results: [] });
const cut: Answer = () => Promise.reject(new TypeError('fetch failed'));
const status =
  (code: number, headers: Record<string, string> = {}, body: object = {}): Answer =>
  () =>
    Response.json({ code: 'SOME_CODE', message: 'Failed', ...body }, { status: code, headers });
/** Never answers. If the signal aborts, rejects as `fetch` does. */
const silence: Answer = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

/** Returns a client. Its server gives these answers in turn. */
function clientWith(answers: readonly Answer[], options: object = {}) {
  const sent: Sent[] = [];
  const startedAt = performance.now();
  const times: number[] = [];
  const client = createClient({
    baseUrl: 'https://chat.example.com/',
    apiKey: 'sk_test',
    ...options,
    fetch: async (input, init = {}) => {
      const { method = '', body } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      sent.push({ url: String(input), method, headers, body });
      times.push(performance.now() - startedAt);
      const answer = answers[sent.length - 1];
      if (answer === undefined) throw new Error('One request too many');
      return answer(init);
    },
  });
  return { client, sent, times };
}

const query = { query: 'boats' };

describe('a failure that may pass', () => {
  test.each([
    ['the connection is cut', cut],
    ['408', status(408)],
    ['429', status(429)],
    ['500', status(500)],
    ['502', status(502)],
    ['503', status(503)],
    ['504 of a proxy', () => new Response('<h1>Gateway Timeout</h1>', { status: 504 })],
    ['the body is cut', () => new Response('{"resu', { status: 200 })],
  ] satisfies [string, Answer][])('is repeated: %s', async (_, failure) => {
    const { client, sent } = clientWith([failure, ok]);
    expect(await client.knowledge.search(query)).toEqual({ results: [] });
    expect(sent[1]).toEqual(sent[0]);
  });

  test('is repeated with the same idempotency key, and each call has its own', async () => {
    const { client, sent } = clientWith([cut, status(503), ok, ok]);
    await client.knowledge.search(query);
    await client.knowledge.search(query);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('is repeated after the time in Retry-After', async () => {
    const { client, times } = clientWith([status(429, { 'Retry-After': '1' }), ok]);
    await withFakeTime(() => client.knowledge.search(query));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('is returned if Retry-After is longer than a minute', async () => {
    const { client, sent } = clientWith([status(429, { 'Retry-After': '90' })]);
    const failed = client.knowledge.search(query);
    await expect(failed).rejects.toMatchObject({ status: 429, retryAfterSeconds: 90 });
    expect(sent).toHaveLength(1);
  });

  test('is repeated as often as the caller allows, with longer and longer pauses', async () => {
    const { client, times } = clientWith([cut, cut, cut, cut]);
    const error = await withFakeTime(() =>
      client.knowledge.search(query).catch((reason: unknown) => reason),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: expect.any(TypeError) });
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(125 * 2 ** index - 10);
    }
    const once = clientWith([cut]);
    await expect(once.client.knowledge.search(query, { maxRetries: 0 })).rejects.toThrow();
    expect(once.sent).toHaveLength(1);
  });

  test('is not repeated if the call does something new each time, except after 429', async () => {
    const { client, sent } = clientWith([status(429), cut]);
    await expect(client.webhooks.test('id')).rejects.toThrow(ConnectionError);
    expect(sent).toHaveLength(2);
  });

  test('waits while the first attempt is still running in the service', async () => {
    const running = status(409, {}, { code: 'IDEMPOTENCY_KEY_IN_USE' });
    const { client, sent } = clientWith([cut, running, running, ok]);
    await client.knowledge.search(query, { maxRetries: 1 });
    expect(sent).toHaveLength(4);
    const proxied = clientWith([status(502), running, ok]);
    await withFakeTime(() => proxied.client.knowledge.search(query));
    expect(proxied.sent).toHaveLength(3);
    const other = clientWith([running]);
    await expect(other.client.knowledge.search(query)).rejects.toMatchObject({ status: 409 });
  });
});

test.each([400, 401, 402, 403, 404, 409, 413, 422])('%i is not repeated', async (code) => {
  const { client, sent } = clientWith([status(code)]);
  await expect(client.knowledge.search(query)).rejects.toMatchObject({ status: code });
  expect(sent).toHaveLength(1);
});

test('an answer that is not from the service is an error without a code of it', async () => {
  const page = () => new Response('<h1>Not here</h1>', { status: 404 });
  const { client } = clientWith([page]);
  const error = await client.usage().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'UNKNOWN', message: 'The server answered with status 404' });
});

test('a call that takes too long ends with a TimeoutError and is not repeated', async () => {
  const { client, sent } = clientWith([silence], { timeoutMs: 30 });
  await expect(client.usage()).rejects.toThrow(TimeoutError);
  expect(sent).toHaveLength(1);
});

test.each<[when: string, answer: Answer, attempts: number]>([
  ['before the call', silence, 0],
  ['during the call', silence, 1],
  ['in the pause before the next attempt', status(500), 1],
])('the signal ends a call with its reason, %s', async (_, answer, attempts) => {
  const controller = new AbortController();
  const reason = new Error('No longer needed');
  const { client, sent } = clientWith([answer, silence]);
  // The fake clock does not move, so the pause before the next attempt does not end.
  vi.useFakeTimers();
  try {
    if (attempts === 0) controller.abort(reason);
    const ended = client.usage({ signal: controller.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(attempts);
    controller.abort(reason);
    expect(await ended).toBe(reason);
  } finally {
    vi.useRealTimers();
  }
  expect(sent).toHaveLength(attempts);
});

test('a request has the key, the address and what the call says', async () => {
  const { client, sent } = clientWith([ok, ok, ok, ok], { headers: { 'X-Site': 'a' } });
  await client.knowledge.search(query, { projectId: 'p', idempotencyKey: 'mine' });
  await client.documents.list({ search: 'a & b', limit: 2 }, { projectId: 'p' });
  await client.documents.get('a/b');
  await client.handoffs.resolve('h');
  expect(sent[0]).toMatchObject({
    url: 'https://chat.example.com/api/v1/knowledge/search',
    method: 'POST',
    headers: { authorization: 'Bearer sk_test', 'x-site': 'a', 'idempotency-key': 'mine' },
    body: '{"query":"boats","projectId":"p"}',
  });
  expect(sent[1]?.url).toMatch(/documents\?search=a\+%26\+b&limit=2&projectId=p$/);
  expect(sent[1]?.headers).not.toHaveProperty('idempotency-key');
  expect(sent[2]?.url).toMatch(/documents\/a%2Fb$/);
  expect(sent[3]).toMatchObject({ method: 'POST', body: null });
});

test.each([
  'https://a.example/x',
  'https://a.example/x/',
  'https://a.example/x/api/v1',
  'https://a.example/x/api/v1/',
])('the address may be that of the service or of its API: %s', async (baseUrl) => {
  const { client, sent } = clientWith([ok], { baseUrl });
  await client.usage();
  expect(sent[0]?.url).toBe('https://a.example/x/api/v1/usage');
});
