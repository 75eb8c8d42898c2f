/**
 * Measures the memory of the service with many streamed answers when some readers never read.
 *
 *   npm run benchmark stalled-readers -- [--streams 300] [--stalled 20] [--deltas 400] [--delay 20]
 *
 * `--streams` is the number of all streams, including the stalled ones. The stalled streams start first, and their
 * answers have the maximum length. `--delay` is the time between two deltas of the model in milliseconds. Compare with
 * `--stalled 0`, because every stream needs memory. If a reader reads nothing for a minute, the service disconnects it,
 * so short runs compare best.
 *
 * The stalled readers are written in Python: Node.js cannot make the buffers of a socket small, and the default buffers
 * of the kernel would hold a whole answer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultOpenAiLimits } from '../../src/models/openai/openai-limits.ts';
import { createFairSlots } from '../../src/platform/fair-slots.ts';
import { type ChatStreamReader, streamChat } from '../support/api/chat-stream.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { startOpenAiServer } from '../support/servers/openai-server.ts';
import { readFlags, UsageError } from './flags.ts';

const flags = readFlags(
  { streams: 300, stalled: 20, deltas: 400, delay: 20 },
  { mayBeZero: ['stalled', 'delay'] },
);
const stalledCount = flags.stalled;
const readCount = flags.streams - stalledCount;
if (readCount < 0) throw new UsageError('--stalled must be at most --streams.');
const question = { message: 'How long do I have to send an item back?' };
const word = 'answer ';
/** Number of requests that the service refused with 503 because too many answers were waiting to start. */
let refusals = 0;
const startSlots = createFairSlots(40);

const stallingReaders = `
import json, os, socket, sys, time
port, count = int(sys.argv[1]), int(sys.argv[2])
body = sys.argv[3].encode()
sockets = []
for _ in range(count):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    s.connect(('127.0.0.1', port))
    head = ('POST /api/v1/chat HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n'
        'Authorization: Bearer %s\\r\\nContent-Length: %d\\r\\n\\r\\n' % (os.environ['KEY'], len(body)))
    s.sendall(head.encode() + body)
    sockets.append(s)
time.sleep(3600)
`;

const models = await startOpenAiServer();
const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-stalled-'));
const service = await startServiceProcess({
  DATA_DIR: dataDir,
  OPENAI_BASE_URL: models.baseUrl,
  CHAT_MODEL: 'stand-in',
  LOG_LEVEL: 'warn',
});
try {
  const client = restClient(`${service.url}/api/v1`, service.key ?? '');
  await waitForDocuments(client);
  await readAnswers(client, 50, deltasOf(50));
  await measure(client);
} finally {
  await service.kill();
  await models.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(client: RestClient): Promise<void> {
  const before = residentMegabytes();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMegabytes());
  }, 200);
  const stalling = stalledCount > 0 ? await startStallingReaders() : null;
  const startedAt = performance.now();
  const lost = await readAnswers(client, readCount, deltasOf(flags.deltas));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = residentMegabytes();
  clearInterval(sampler);
  stalling?.kill();
  console.table({
    'RSS before (MB)': before,
    'RSS peak (MB)': peak,
    'RSS after (MB)': after,
    'more at the peak (MB)': peak - before,
    'lost answers of those that read': lost,
    'answers that were read': readCount,
    'starts refused with 503 and repeated': refusals,
    'time (s)': Math.round(seconds),
  });
}

/** Starts the stalled readers, and waits until the model generates their answers. */
async function startStallingReaders() {
  const first = models.requests.length;
  script(stalledCount, deltasOf(Math.floor(defaultOpenAiLimits.maxAnswerLength / word.length)), 5);
  const { port } = new URL(service.url);
  const body = JSON.stringify({ ...question, stream: true });
  const child = spawn('python3', ['-c', stallingReaders, port, String(stalledCount), body], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, KEY: service.key ?? '' },
    stdio: 'inherit',
  });
  await once(child, 'spawn');
  await models.request(first + stalledCount - 1);
  return child;
}

/**
 * Reads answers at the same time. Returns the number of lost answers, which are incomplete or differ from the model's
 * text.
 */
async function readAnswers(
  client: RestClient,
  count: number,
  deltas: readonly string[],
): Promise<number> {
  script(count, deltas, flags.delay);
  const readOne = async () => {
    const events = await (await startAnswer(client)).readToEnd();
    const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
    const done = events.at(-1);
    return done?.type === 'done' && done.content === text && text.trim() === deltas.join('').trim();
  };
  const read = await Promise.all(
    Array.from({ length: count }, () =>
      readOne().catch((error: unknown) => {
        console.error(String(error).slice(0, 200));
        return false;
      }),
    ),
  );
  return read.filter((isRead) => !isRead).length;
}

/** Starts at most 40 answers at a time. After a 503, asks again after one second, as `Retry-After` says. */
async function startAnswer(client: RestClient): Promise<ChatStreamReader> {
  for (;;) {
    using _slot = await startSlots.acquire('readers', AbortSignal.timeout(600_000));
    try {
      return await streamChat(client, question);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('503 '))) throw error;
      refusals += 1;
      await sleep(1_000);
    }
  }
}

function script(count: number, deltas: readonly string[], delayMs: number): void {
  models.script(...Array.from({ length: count }, () => ({ deltas, delayMs })));
}

function deltasOf(count: number): string[] {
  return Array.from({ length: count }, () => word);
}

async function waitForDocuments(client: RestClient): Promise<void> {
  for (;;) {
    const { data } = await (await client.get('/knowledge/documents')).json();
    if (data.some(({ status }: { status: string }) => status === 'READY')) return;
    await sleep(200);
  }
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}
