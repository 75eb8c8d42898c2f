import type { Settings } from './settings.ts';
import type { StoredVisit } from './visit.ts';

export interface Citation {
  readonly number: number;
  readonly documentName: string;
  readonly quote: string | null;
}

export type Role = 'USER' | 'ASSISTANT' | 'AGENT' | 'SYSTEM';
export type Rating = 'UP' | 'DOWN';
export type ConversationStatus = 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';

export interface Message {
  readonly id: string;
  readonly position: number;
  readonly role: Role;
  readonly status: 'GENERATING' | 'COMPLETED' | 'STOPPED' | 'FAILED';
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly rating: Rating | null;
}

export interface Conversation {
  readonly id: string;
  readonly status: ConversationStatus;
  readonly messages: readonly Message[];
}

export type ChatFrame =
  | { readonly type: 'meta'; readonly conversationId: string; readonly messageId: string }
  | { readonly type: 'delta'; readonly text: string }
  | {
      readonly type: 'done';
      readonly messageId: string;
      readonly content: string;
      readonly citations: readonly Citation[];
    }
  | ErrorFrame;

export type UpdateFrame = ({ readonly type: 'conversation' } & Conversation) | ErrorFrame;

interface ErrorFrame {
  readonly type: 'error';
  readonly message: string;
  readonly code: string;
}

/**
 * Why a request has no answer. `REFUSED`: this site may not use the widget. `OFFLINE`: the service cannot be reached.
 * Else the code of the service.
 */
export class ApiError extends Error {
  readonly code: string;
  /** One for each field that was not right. */
  readonly messages: readonly string[];

  constructor(code: string, messages: readonly string[] = []) {
    super(messages.join('. ') || code);
    this.code = code;
    this.messages = messages;
  }
}

export interface Api {
  /** Whether the visitor was known before. */
  visit(): Promise<boolean>;
  conversation(conversationId: string): Promise<Conversation>;
  send(message: string, conversationId: string | null): Promise<AsyncIterable<ChatFrame>>;
  updates(conversationId: string, signal: AbortSignal): Promise<AsyncIterable<UpdateFrame>>;
  handoff(
    contact: Readonly<Record<string, string>>,
    conversationId: string,
  ): Promise<{ readonly outOfHoursText: string | null }>;
  rate(messageId: string, rating: Rating): Promise<unknown>;
}

export function createApi({ key, base }: Settings, visit: StoredVisit): Api {
  const post = async (operation: string, body: object, signal?: AbortSignal): Promise<Response> => {
    const { token } = visit.read();
    const response = await fetch(`${base}widget/v1/${key}/${operation}`, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    }).catch(async (error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ApiError((await isReachable(base)) ? 'REFUSED' : 'OFFLINE');
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  const json = async (operation: string, body: object) => (await post(operation, body)).json();
  return {
    async visit() {
      const { token, isKnown } = await json('visit', {});
      visit.change({ token });
      return isKnown;
    },
    conversation: (conversationId) => json('conversation', { conversationId }),
    send: async (message, conversationId) =>
      framesOf(
        await post('messages', { message, ...(conversationId !== null && { conversationId }) }),
      ),
    updates: async (conversationId, signal) =>
      framesOf(await post('updates', { conversationId }, signal)),
    handoff: (contact, conversationId) => json('handoff', { ...contact, conversationId }),
    rate: (messageId, rating) => json('feedback', { messageId, rating }),
  };
}

/** A refusal for the site looks to scripts like no connection; whether there is one tells the difference. */
async function isReachable(base: string): Promise<boolean> {
  try {
    await fetch(`${base}widget.js`, {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
    });
    return true;
  } catch {
    return false;
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  if (response.status === 403) return new ApiError('REFUSED');
  try {
    const { code, message } = await response.json();
    return new ApiError(String(code), [message].flat().map(String));
  } catch {
    return new ApiError('OFFLINE');
  }
}

/** Server-sent events of one line each. Throws where the connection breaks. */
async function* framesOf<Frame>({ body }: Response): AsyncGenerator<Frame, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6));
      }
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}
