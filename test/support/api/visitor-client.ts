import { updateWidget } from '../../../src/domain/widget/widgets.ts';
import type { TestService } from '../service.ts';

/** A client of the widget API. */
export interface VisitorClient {
  /** Value of the Origin header in every request. If undefined, the header is omitted. */
  origin: string | undefined;
  /** Visitor token in every request. If undefined, the token is omitted. */
  token: string | undefined;
  /** Additional headers of every request. They override the two above. */
  headers: Record<string, string>;
  post(operation: string, body?: unknown): Promise<Response>;
  preflight(operation: string): Promise<Response>;
  /** Starts or continues a visit, and stores its token. */
  visit(): Promise<{ token: string; isKnown: boolean }>;
  /** Sends a message. Returns all events of the answer. */
  ask(message: string, conversationId?: string): Promise<VisitorEvent[]>;
}

export interface VisitorEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the fields differ in each test
  readonly [field: string]: any;
}

export const siteOrigin = 'https://www.harbour.example';

/** Creates the widget of a project and returns its publishable key. By default, the widget allows one origin. */
export async function makeWidget(
  { system }: TestService,
  projectId: string,
  allowedOrigins: readonly string[] = [siteOrigin],
): Promise<string> {
  return (await updateWidget(system, { projectId, allowedOrigins })).publishableKey;
}

export function visitorClient({ url }: Pick<TestService, 'url'>, key: string): VisitorClient {
  const page: VisitorClient = {
    origin: siteOrigin,
    token: undefined,
    headers: {},
    post(operation, body = {}) {
      return fetch(`${url}/widget/v1/${key}/${operation}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(page.origin !== undefined && { Origin: page.origin }),
          ...(page.token !== undefined && { Authorization: `Bearer ${page.token}` }),
          ...page.headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    },
    preflight(operation) {
      return fetch(`${url}/widget/v1/${key}/${operation}`, {
        method: 'OPTIONS',
        headers: {
          ...(page.origin !== undefined && { Origin: page.origin }),
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      });
    },
    async visit() {
      const answer = await (await page.post('visit')).json();
      page.token = answer.token;
      return answer;
    },
    async ask(message, conversationId) {
      const response = await page.post('messages', { message, conversationId });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return parseEvents(await response.text());
    },
  };
  return page;
}

/** Parses the text of a stream and returns its events. */
function parseEvents(text: string): VisitorEvent[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice(6)));
}

/** Reads the events of a stream while they arrive. */
export interface VisitorEventReader {
  /** Returns all events up to the first whose text contains `wanted`. Rejects if the stream ends before. */
  readUntil(wanted: string): Promise<VisitorEvent[]>;
  close(): Promise<void>;
}

export function eventReader({ body }: Response): VisitorEventReader {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async readUntil(wanted) {
      for (;;) {
        const end = text.indexOf('\n\n', Math.max(0, text.indexOf(wanted)));
        if (text.includes(wanted) && end !== -1) {
          const read = text.slice(0, end + 2);
          text = text.slice(end + 2);
          return parseEvents(read);
        }
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`ended without ${wanted}: ${text}`);
        text += value;
      }
    },
    async close() {
      await reader?.cancel();
    },
  };
}
