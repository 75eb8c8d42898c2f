import { readChatStream } from '../support/api/chat-stream.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Outcome, Tally } from './tally.ts';

/** Data that the service has acknowledged, so it must not lose this data. */
export interface Acknowledged {
  readonly answers: { readonly messageId: string; readonly content: string }[];
  readonly conversationIds: string[];
  readonly documentIds: string[];
  readonly handoffIds: Set<string>;
}

export interface Target {
  readonly url: string;
  /** Creates a key. Each client has its own key, because each key has a rate limit. */
  newKey(): Promise<string>;
}

/** No request may take longer. A request that does counts as a hang. */
const requestTimeoutMs = 75_000;

/**
 * Runs many concurrent clients until the signal aborts. Each client makes one call at a time. Returns the acknowledged
 * data.
 */
export async function generateLoad(
  target: Target,
  tally: Tally,
  signal: AbortSignal,
): Promise<Acknowledged> {
  const acknowledged: Acknowledged = {
    answers: [],
    conversationIds: [],
    documentIds: [],
    handoffIds: new Set(),
  };
  const clients: [count: number, kind: string, pauseMs: number, call: Call][] = [
    [4, 'chat', 50, ask],
    [4, 'stream', 50, askStreaming],
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
          signal: AbortSignal.timeout(requestTimeoutMs),
        });
      let n = 0;
      const callOnce = async () => {
        await tally.measure(kind, () => call(api, acknowledged, n));
        n += 1;
        return signal.aborted;
      };
      await waitUntil(callOnce, { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: pauseMs });
    }),
  );
  await Promise.all(running);
  return acknowledged;
}

type Api = (path: string, init?: RequestInit) => Promise<Response>;
/** Makes one call and returns its status. Throws if the response is missing or incomplete. */
type Call = (api: Api, acknowledged: Acknowledged, n: number) => Promise<Outcome>;

const message = 'Until when is check-out?';

function post(api: Api, path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return api(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const ask: Call = async (api, acknowledged, n) => {
  const conversationId = n % 4 === 3 ? acknowledged.conversationIds.at(-1) : undefined;
  const response = await post(api, '/chat', { message, conversationId });
  if (!response.ok) return readOutcome(response);
  recordAnswer(acknowledged, await response.json());
  return response.status;
};

const askStreaming: Call = async (api, acknowledged) => {
  const response = await post(api, '/chat', { message, stream: true });
  if (!response.ok) return readOutcome(response);
  const frames = await readChatStream(response, new AbortController());
  const last = (await frames.readToEnd()).at(-1);
  if (last?.type === 'error') return 'error event';
  if (last?.type !== 'done') throw new Error('The stream broke off');
  recordAnswer(acknowledged, last);
  return response.status;
};

function recordAnswer(
  acknowledged: Acknowledged,
  answer: { messageId?: string; conversationId?: string; content?: string },
): void {
  const { messageId = '', conversationId = '', content = '' } = answer;
  acknowledged.answers.push({ messageId, content });
  acknowledged.conversationIds.push(conversationId);
}

const createDocument: Call = async (api, acknowledged, n) => {
  const content = Array.from({ length: 60 }, (_, i) => `Room ${n}.${i} has ${i} windows.`);
  return recordDocument(
    acknowledged,
    await post(api, '/knowledge/documents', { name: `${n}.txt`, content: content.join('\n\n') }),
  );
};

const upload: Call = async (api, acknowledged, n) => {
  const body = new FormData();
  body.append('file', new File([`# Locker ${n}\n\nIts number is ${n}.`], `Locker ${n}.md`));
  return recordDocument(
    acknowledged,
    await api('/knowledge/documents/upload', { method: 'POST', body }),
  );
};

async function recordDocument(acknowledged: Acknowledged, response: Response): Promise<Outcome> {
  if (!response.ok) return readOutcome(response);
  acknowledged.documentIds.push((await response.json()).id);
  return response.status;
}

const requestHandoff: Call = async (api, acknowledged) => {
  const conversationId = acknowledged.conversationIds.at(-1);
  if (conversationId === undefined) return 0;
  const response = await post(api, '/handoff', { conversationId, reason: 'a person, please' });
  if (!response.ok) return readOutcome(response);
  acknowledged.handoffIds.add((await response.json()).handoffId);
  return response.status;
};

const readUsage: Call = async (api) => readOutcome(await api('/usage'));

/** Reads the whole body, because only the end of the body proves that the response is complete. */
async function readOutcome(response: Response): Promise<Outcome> {
  const text = await response.text();
  return response.status === 502 ? `502 (${text})` : response.status;
}
