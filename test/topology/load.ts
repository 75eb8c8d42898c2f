import { readFrames } from '../support/frames.ts';
import type { Outcome, Tally } from './tally.ts';

/** What the service has acknowledged, and so must have kept. */
export interface Acknowledged {
  readonly answers: { readonly messageId: string; readonly content: string }[];
  readonly conversationIds: string[];
  readonly documentIds: string[];
  readonly handoffIds: Set<string>;
}

export interface Target {
  readonly url: string;
  /** One for each client: a key has a rate limit. */
  newKey(): Promise<string>;
}

/** Longer than anything may take: what hangs is found by it. */
const patienceMs = 75_000;

/** Uses the service like many at once, each one call after the other, until the signal aborts. Gives what was kept. */
export async function useService(
  target: Target,
  tally: Tally,
  signal: AbortSignal,
): Promise<Acknowledged> {
  const kept: Acknowledged = {
    answers: [],
    conversationIds: [],
    documentIds: [],
    handoffIds: new Set(),
  };
  const clients: [count: number, kind: string, pauseMs: number, call: Call][] = [
    [4, 'chat', 50, ask],
    [4, 'stream', 50, askStreamed],
    [1, 'document', 300, createDocument],
    [1, 'upload', 400, upload],
    [1, 'handoff', 200, requestHandoff],
    [1, 'read', 100, readUsage],
  ];
  const running = clients.flatMap(([count, kind, pauseMs, call]) =>
    Array.from({ length: count }, async () => {
      const key = await target.newKey();
      const api: Api = (path, init) =>
        fetch(`${target.url}/api/v1${path}`, {
          ...init,
          headers: { ...init?.headers, Authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(patienceMs),
        });
      for (let n = 0; !signal.aborted; n += 1) {
        await tally.count(kind, () => call(api, kept, n));
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  await Promise.all(running);
  return kept;
}

type Api = (path: string, init?: RequestInit) => Promise<Response>;
/** One call; gives the status, or throws where there was no answer or not all of it. */
type Call = (api: Api, kept: Acknowledged, n: number) => Promise<Outcome>;

const message = 'Until when is check-out?';

function post(api: Api, path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return api(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const ask: Call = async (api, kept, n) => {
  const conversationId = n % 4 === 3 ? kept.conversationIds.at(-1) : undefined;
  const response = await post(api, '/chat', { message, conversationId });
  if (!response.ok) return readRefusal(response);
  keep(kept, await response.json());
  return response.status;
};

const askStreamed: Call = async (api, kept) => {
  const response = await post(api, '/chat', { message, stream: true });
  if (!response.ok) return readRefusal(response);
  const frames = await readFrames(response, new AbortController());
  const last = (await frames.rest()).at(-1);
  if (last?.type === 'error') return 'error event';
  if (last?.type !== 'done') throw new Error('The stream broke off');
  keep(kept, last);
  return response.status;
};

function keep(
  kept: Acknowledged,
  answer: { messageId?: string; conversationId?: string; content?: string },
): void {
  const { messageId = '', conversationId = '', content = '' } = answer;
  kept.answers.push({ messageId, content });
  kept.conversationIds.push(conversationId);
}

const createDocument: Call = async (api, kept, n) => {
  const content = Array.from({ length: 60 }, (_, i) => `Room ${n}.${i} has ${i} windows.`);
  return made(
    kept,
    await post(api, '/knowledge/documents', { name: `${n}.txt`, content: content.join('\n\n') }),
  );
};

const upload: Call = async (api, kept, n) => {
  const body = new FormData();
  body.append('file', new File([`# Locker ${n}\n\nIts number is ${n}.`], `Locker ${n}.md`));
  return made(kept, await api('/knowledge/documents/upload', { method: 'POST', body }));
};

async function made(kept: Acknowledged, response: Response): Promise<Outcome> {
  if (!response.ok) return readRefusal(response);
  kept.documentIds.push((await response.json()).id);
  return response.status;
}

const requestHandoff: Call = async (api, kept) => {
  const conversationId = kept.conversationIds.at(-1);
  if (conversationId === undefined) return 0;
  const response = await post(api, '/handoff', { conversationId, reason: 'a person, please' });
  if (!response.ok) return readRefusal(response);
  kept.handoffIds.add((await response.json()).handoffId);
  return response.status;
};

const readUsage: Call = async (api) => readRefusal(await api('/usage'));

/** Reads to the end: only then is it sure that all of it came. */
async function readRefusal(response: Response): Promise<Outcome> {
  const text = await response.text();
  return response.status === 502 ? `502 (${text})` : response.status;
}
