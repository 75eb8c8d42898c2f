import { updateWidget } from '../../src/domain/widget/widgets.ts';
import type { TestService } from './service.ts';

/** A page of a site, or whatever else speaks to the widget's interface. */
export interface VisitorPage {
  /** What is sent with every request; undefined leaves the header out. */
  origin: string | undefined;
  token: string | undefined;
  /** Added to every request, in place of what stands above. */
  headers: Record<string, string>;
  post(operation: string, body?: unknown): Promise<Response>;
  preflight(operation: string): Promise<Response>;
  /** Begins a visit, or goes on with it, and keeps the token. */
  visit(): Promise<{ token: string; isKnown: boolean }>;
  /** All events of an answer. */
  ask(message: string, conversationId?: string): Promise<VisitorFrame[]>;
}

export interface VisitorFrame {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a test looks for
  readonly [field: string]: any;
}

export const site = 'https://www.harbour.example';

/** Makes the project's widget, for one site unless others are named; its publishable key. */
export async function makeWidget(
  { system }: TestService,
  projectId: string,
  allowedOrigins: readonly string[] = [site],
): Promise<string> {
  return (await updateWidget(system, { projectId, allowedOrigins })).publishableKey;
}

export function visitorPage({ url }: Pick<TestService, 'url'>, key: string): VisitorPage {
  const page: VisitorPage = {
    origin: site,
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
      return framesIn(await response.text());
    },
  };
  return page;
}

/** The events in the text of a stream. */
function framesIn(text: string): VisitorFrame[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice(6)));
}

/** Reads a stream piece by piece. */
export interface EventReader {
  /** The events up to the one whose text holds `wanted`; rejects when the stream ends without. */
  until(wanted: string): Promise<VisitorFrame[]>;
  close(): Promise<void>;
}

export function eventReader({ body }: Response): EventReader {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async until(wanted) {
      for (;;) {
        const end = text.indexOf('\n\n', Math.max(0, text.indexOf(wanted)));
        if (text.includes(wanted) && end !== -1) {
          const read = text.slice(0, end + 2);
          text = text.slice(end + 2);
          return framesIn(read);
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
