import { afterEach, expect, test, vi } from 'vitest';
import { createChatHandler } from '../../packages/client/src/index.ts';
import { withFakeTime } from '../support/fake-time.ts';

const id = '01234567-89ab-cdef-0123-456789abcdef';

afterEach(() => vi.unstubAllGlobals());

/** Returns the handler of a site's route. The service answers with `answer`. */
function handlerWith(answer: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', answer);
  const onError = vi.fn();
  const handle = createChatHandler({
    ...{ baseUrl: 'https://chat.example.com', apiKey: 'sk_test', onError },
    identify: () => ({ endUserId: 'ada' }),
  });
  return { handle, onError };
}

function ask(body: object): Request {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return new Request('https://site.example/support/api/v1/chat', init);
}

const dead = () => Promise.reject(new TypeError('fetch failed'));

test.each([
  ['a service that is down', dead, {}],
  ['a service that is down, in a conversation', dead, { conversationId: id }],
  [
    'a key that may not read conversations',
    async () => Response.json({ code: 'SCOPE_MISSING' }, { status: 403 }),
    { conversationId: id },
  ],
])('the response is 502 as JSON with %s', async (_, answer, body) => {
  const { handle, onError } = handlerWith(answer);
  const response = await withFakeTime(() => handle(ask({ message: 'Hello', ...body })));
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ statusCode: 502, code: 'UNAVAILABLE' });
  expect(onError).toHaveBeenCalledOnce();
});

test('a proxy of the site is asked not to hold the stream back', async () => {
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  const { handle } = handlerWith(async () => new Response('data: {}\n\n', { headers }));
  const response = await handle(ask({ message: 'Hello' }));
  expect(Object.fromEntries(response.headers)).toEqual(headers);
});

test('a visitor who leaves ends the check of his conversation', async () => {
  const controller = new AbortController();
  let checks = 0;
  const { handle } = handlerWith(() => {
    checks += 1;
    controller.abort();
    return dead();
  });
  const request = new Request(ask({ message: 'Hello', conversationId: id }), controller);
  expect((await withFakeTime(() => handle(request))).status).toBe(502);
  expect(checks).toBe(1);
});
