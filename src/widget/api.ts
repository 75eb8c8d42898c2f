import { ApiError, problemsOf } from './api-error.ts';
import type { Attributes } from './attributes.ts';
import { readEventStream } from './event-stream.ts';
import { createIdleTimeout, type IdleTimeout } from './idle-timeout.ts';
import type { KnownConversation } from './other-conversations.ts';
import type { Settings } from './settings.ts';
import type { TeamHours } from './team-hours.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

export interface Citation {
  readonly number: number;
  readonly documentName: string;
  readonly quote: string | null;
  /** Absent in responses of an older service. */
  readonly sourceUrl?: string | null;
}

export type Role = 'USER' | 'ASSISTANT' | 'AGENT' | 'SYSTEM';
export type Rating = 'UP' | 'DOWN';
export type ConversationStatus = 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';

export interface Message {
  readonly id: string;
  readonly position: number;
  readonly role: Role;
  /** Name of the agent who sent the message. Null if visitors see none. Missing in responses of an older service. */
  readonly authorName?: string | null;
  readonly status: 'GENERATING' | 'COMPLETED' | 'STOPPED' | 'FAILED';
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly rating: Rating | null;
}

export interface Conversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** The message to show while the visitor waits for an agent outside business hours. Null in all other cases. */
  readonly outOfHoursText: string | null;
  /** Absent in responses of an older service. */
  readonly satisfaction?: Satisfaction | null;
  /** Absent in responses of an older service. */
  readonly isTeamTyping?: boolean;
  readonly messages: readonly Message[];
}

/** The question that asks how satisfied the visitor was with the agent who resolved a handoff. */
export interface Satisfaction {
  readonly handoffId: string;
  /** The rating, 1 to 5. Null until the visitor answers. */
  readonly rating: number | null;
  readonly comment: string | null;
}

export interface ConversationSummary extends KnownConversation {
  readonly title: string;
  readonly lastMessageAt: string;
}

export type ChatFrame =
  | { readonly type: 'meta'; readonly conversationId: string; readonly messageId: string }
  | { readonly type: 'delta'; readonly text: string }
  | {
      readonly type: 'done';
      readonly messageId: string;
      readonly content: string;
      readonly citations: readonly Citation[];
      /** Status of the conversation after the answer. The answer may have requested a handoff. */
      readonly conversationStatus: ConversationStatus;
    }
  | ErrorFrame;

/** `teamConversations`: no single conversation is watched. The update contains only the conversations with the team. */
export type Update = (
  | ({ readonly type: 'conversation' } & Conversation)
  | { readonly type: 'teamConversations' }
) & {
  /** The visitor's conversations with the team. Missing in responses of an older service. */
  readonly teamConversations?: readonly KnownConversation[];
};

export type UpdateFrame = Update | ErrorFrame;

interface ErrorFrame {
  readonly type: 'error';
  readonly message: string;
  readonly code: string;
}

export interface Visit {
  /** False if the visitor is new to the service. */
  readonly isKnown: boolean;
  /** Absent in responses of an older service. */
  readonly teamHours?: TeamHours;
  /** Null if the project has no text of its own. Absent in responses of an older service. */
  readonly aiNotice?: string | null;
}

/** The service's widget API. Each method throws an `ApiError` if the request fails. */
export interface Api {
  /** Authenticates the visitor and stores a new token. */
  startVisit(): Promise<Visit>;
  getConversation(conversationId: string): Promise<Conversation>;
  /** Returns the visitor's conversations, latest message first. */
  listConversations(): Promise<readonly ConversationSummary[]>;
  send(
    message: string,
    conversationId: string | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ChatFrame>>;
  /** Watches the conversations with the team. Also watches the conversation with this id, unless the id is null. */
  watch(conversationId: string | null, signal: AbortSignal): Promise<AsyncIterable<UpdateFrame>>;
  requestHandoff(
    contact: Readonly<Record<string, string>>,
    conversationId: string,
  ): Promise<Conversation>;
  /** Signals for a few seconds that the visitor is typing. With `isTyping: false`, ends the signal. */
  signalTyping(conversationId: string, isTyping: boolean): Promise<unknown>;
  /** Resolves when the generation of the answer has stopped. */
  stop(messageId: string): Promise<unknown>;
  rate(messageId: string, rating: Rating): Promise<unknown>;
  rateHandoff(handoffId: string, rating: number, comment: string): Promise<Satisfaction>;
}

export function createApi(
  { key, baseUrl, user, sendsPage }: Settings,
  visit: VisitorStateStore,
  attributes: Attributes,
): Api {
  const post = async (
    operation: string,
    body: object,
    idleTimeout: IdleTimeout,
  ): Promise<Response> => {
    const { token } = visit.read();
    const response = await fetch(`${baseUrl}widget/v1/${key}/${operation}`, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: idleTimeout.signal,
    }).catch(async () => {
      const isCorsError = !idleTimeout.signal.aborted && (await isReachable(baseUrl));
      throw new ApiError(isCorsError ? 'REFUSED' : 'OFFLINE');
    });
    if (!response.ok) throw await apiErrorOf(response);
    return response;
  };
  const json = async (operation: string, body: object) => {
    const idleTimeout = createIdleTimeout(idleTimeoutMs);
    try {
      return await (await post(operation, body, idleTimeout)).json();
    } finally {
      idleTimeout.clear();
    }
  };
  const frames = async <Frame>(operation: string, body: object, idleTimeout: IdleTimeout) => {
    try {
      return readEventStream<Frame>(await post(operation, body, idleTimeout), idleTimeout);
    } catch (error) {
      idleTimeout.clear();
      throw error;
    }
  };
  return {
    async startVisit() {
      const { token, ...started } = await json(
        'visit',
        user === null ? {} : { userId: user.userId, userHash: user.userHash },
      );
      visit.update({ token });
      return started;
    },
    getConversation: (conversationId) => json('conversation', { conversationId }),
    listConversations: async () => (await json('conversations', {})).conversations,
    async send(message, conversationId, signal) {
      const body = {
        message,
        ...(conversationId !== null && { conversationId }),
        ...(user !== null && { name: user.name, email: user.email }),
        ...(sendsPage && surroundings()),
      };
      const request = (fields: object) =>
        frames<ChatFrame>('messages', fields, createIdleTimeout(answerIdleTimeoutMs, signal));
      const given = attributes.read();
      if (given === null) return request(body);
      try {
        return await request({ ...body, attributes: given });
      } catch (error) {
        const problems = problemsOf(error, 'attributes');
        if (problems.length === 0) throw error;
        attributes.refuse(problems);
        return request(body);
      }
    },
    watch: (conversationId, signal) =>
      frames(
        'updates',
        conversationId === null ? {} : { conversationId },
        createIdleTimeout(idleTimeoutMs, signal),
      ),
    requestHandoff: (contact, conversationId) => json('handoff', { ...contact, conversationId }),
    signalTyping: (conversationId, isTyping) => json('typing', { conversationId, isTyping }),
    stop: (messageId) => json('stop', { messageId }),
    rate: (messageId, rating) => json('feedback', { messageId, rating }),
    rateHandoff: (handoffId, rating, comment) =>
      json('satisfaction', { handoffId, rating, comment }),
  };
}

/**
 * Idle timeout of the update stream. This stream sends an update at least every 30 seconds, even if nothing has
 * changed.
 */
const idleTimeoutMs = 75_000;
/**
 * Idle timeout of an answer stream. It is longer, because this stream has no heartbeat, and retrieval and the model may
 * take up to 330 seconds before the next token.
 */
const answerIdleTimeoutMs = 360_000;

/**
 * Returns whether the service responds. `fetch` fails in the same way if CORS refuses a request and if the connection
 * is lost. To distinguish the two, this function requests `widget.js`, which CORS allows for every site. It checks the
 * status because a proxy may respond for an unavailable service.
 */
async function isReachable(baseUrl: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${baseUrl}widget.js`, {
      method: 'HEAD',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(idleTimeoutMs),
    });
    return ok;
  } catch {
    return false;
  }
}

async function apiErrorOf(response: Response): Promise<ApiError> {
  if (response.status === 403) return new ApiError('REFUSED');
  try {
    const { code, message } = await response.json();
    return new ApiError(String(code), [message].flat().map(String));
  } catch {
    return new ApiError('OFFLINE');
  }
}

/** The page without query and fragment, which may contain secrets, and the time zone. */
function surroundings(): { page: string; timeZone: string } {
  const page = `${location.origin}${location.pathname}`.slice(0, 500);
  return { page, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
