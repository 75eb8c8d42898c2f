import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { documentationPages } from '../support/programs/documentation-pages.ts';

let server: Server | undefined;
afterEach(() => server?.close());

type Response = readonly [status: number, body: string];

/** Starts a server that gives these responses in turn, and the last one again and again. Returns its address. */
async function serve(responses: readonly Response[]): Promise<string> {
  let count = 0;
  server = createServer((_request, response) => {
    const [status, body] = responses[Math.min(count, responses.length - 1)] ?? [500, ''];
    count += 1;
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

async function waitFor(url: string, { status = 'READY', WAIT_SECONDS = '60' } = {}) {
  const child = spawn('bash', ['scripts/wait-for.sh', status, url], {
    env: { PATH: process.env.PATH, WAIT_SECONDS },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [printed, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { printed, exitCode };
}

const processing: Response = [200, '{"status": "PROCESSING"}'];

test.each([
  ['a document becomes READY', [processing, [200, '{"status": "READY"}']], 'READY'],
  [
    'every document of a list is READY',
    [
      [200, '[{"status":"READY"},{"status":"PROCESSING"}]'],
      [200, '[{"status":"READY"},{"status":"READY"}]'],
    ],
    'READY',
  ],
  ['a document becomes FAILED as expected', [processing, [200, '{"status":"FAILED"}']], 'FAILED'],
] satisfies [string, Response[], string][])('ends when %s', async (_, responses, status) => {
  expect(await waitFor(await serve(responses), { status })).toEqual({ printed: '', exitCode: 0 });
});

test.each([
  ['the document is FAILED', [processing, [200, '{"status":"FAILED","error":"broken"}']], 'broken'],
  ['the key is refused', [[401, '{"code":"UNAUTHENTICATED"}']], '401\n{"code":"UNAUTHENTICATED"}'],
  ['the service fails', [[503, 'busy']], '503\nbusy'],
  ['GraphQL reports errors', [[200, '{"errors":[{"message":"no scope"}]}']], 'no scope'],
] satisfies [string, Response[], string][])(
  'stops and prints the reason if %s',
  async (_, responses, reason) => {
    const { printed, exitCode } = await waitFor(await serve(responses));
    expect([exitCode, printed]).toEqual([1, expect.stringContaining(reason)]);
  },
);

test('stops and prints the reason if the service cannot be reached', async () => {
  const url = await serve([processing]);
  server?.close();
  const { printed, exitCode } = await waitFor(url);
  expect([exitCode, printed]).toEqual([1, expect.stringMatching(/the request failed\n.*connect/)]);
});

test('stops and prints the last response when the time is over', async () => {
  const { printed, exitCode } = await waitFor(await serve([processing]), { WAIT_SECONDS: '1' });
  expect(exitCode).toBe(1);
  expect(printed).toMatch(/not READY after 1 seconds:\n\{"status": "PROCESSING"\}/);
});

test('no page waits in a loop of its own, which would never end after an error', async () => {
  const packages = (await readdir('packages')).map((name) => `packages/${name}/README.md`);
  for (const path of [...documentationPages, ...packages, 'clients/python/README.md']) {
    expect(await readFile(path, 'utf8'), path).not.toMatch(/^\s*until .*(?:curl|grep)/m);
  }
});
