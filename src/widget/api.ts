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
  /** What is told while it waits for the team outside of its hours. */
  readonly outOfHoursText: string | null;
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

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface Api {
  /** Whether the visitor was known before. */
  visit(): Promise<boolean>;
  conversation(conversationId: string): Promise<Conversation>;
  send(
    message: string,
    conversationId: string | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ChatFrame>>;
  updates(conversationId: string, signal: AbortSignal): Promise<AsyncIterable<UpdateFrame>>;
  handoff(contact: Readonly<Record<string, string>>, conversationId: string): Promise<Conversation>;
  /** Resolves once the answer has ended. */
  stop(messageId: string): Promise<unknown>;
  rate(messageId: string, rating: Rating): Promise<unknown>;
}

export function createApi({ key, base }: Settings, visit: StoredVisit): Api {
  const post = async (operation: string, body: object, patience: Patience): Promise<Response> => {
    const { token } = visit.read();
    const response = await fetch(`${base}widget/v1/${key}/${operation}`, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: patience.signal,
    }).catch(async () => {
      const isRefused = !patience.signal.aborted && (await isReachable(base));
      throw new ApiError(isRefused ? 'REFUSED' : 'OFFLINE');
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  const json = async (operation: string, body: object) => {
    const patience = createPatience(quietMs);
    try {
      return await (await post(operation, body, patience)).json();
    } finally {
      patience.end();
    }
  };
  const frames = async <Frame>(operation: string, body: object, patience: Patience) => {
    try {
      return framesOf<Frame>(await post(operation, body, patience), patience);
    } catch (error) {
      patience.end();
      throw error;
    }
  };
  return {
    async visit() {
      const { token, isKnown } = await json('visit', {});
      visit.change({ token });
      return isKnown;
    },
    conversation: (conversationId) => json('conversation', { conversationId }),
    send: (message, conversationId, signal) =>
      frames(
        'messages',
        { message, ...(conversationId !== null && { conversationId }) },
        createPatience(quietAnswerMs, signal),
      ),
    updates: (conversationId, signal) =>
      frames('updates', { conversationId }, createPatience(quietMs, signal)),
    handoff: (contact, conversationId) => json('handoff', { ...contact, conversationId }),
    stop: (messageId) => json('stop', { messageId }),
    rate: (messageId, rating) => json('feedback', { messageId, rating }),
  };
}

/** A conversation that is followed says something each half minute. */
const quietMs = 75_000;
/** An answer says nothing while it is looked for, nor while the model thinks: five minutes and a half at most. */
const quietAnswerMs = 360_000;

/** How long nothing may come: a line can be dead without a word. */
interface Patience {
  /** Aborted once it is over, or by whoever asked. */
  readonly signal: AbortSignal;
  /** Something has come. */
  renew(): void;
  end(): void;
}

function createPatience(ms: number, asker?: AbortSignal): Patience {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, ms);
  asker?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    renew() {
      clearTimeout(timer);
      timer = setTimeout(abort, ms);
    },
    end() {
      clearTimeout(timer);
      asker?.removeEventListener('abort', abort);
    },
  };
}

/**
 * A refusal for the site looks to scripts like no connection; whether the script, which every site may have, is there
 * tells the difference. A proxy that has lost the service answers for it, but not so.
 */
async function isReachable(base: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${base}widget.js`, {
      method: 'HEAD',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(quietMs),
    });
    return ok;
  } catch {
    return false;
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  if (response.status === 403) return new ApiError('REFUSED');
  try {
    return new ApiError(String((await response.json()).code));
  } catch {
    return new ApiError('OFFLINE');
  }
}

/** Server-sent events of one line each. Throws where the connection breaks, or has been quiet for too long. */
async function* framesOf<Frame>(
  { body }: Response,
  patience: Patience,
): AsyncGenerator<Frame, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      patience.renew();
      text += decoder.decode(value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6));
      }
    }
  } finally {
    patience.end();
    reader?.cancel().catch(() => {});
  }
}
