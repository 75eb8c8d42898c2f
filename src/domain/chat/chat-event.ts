import type { TokenUsage } from '../../models/models.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import type { FinishReason } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Intent } from '../../text/intents/intent.ts';
import type { Citation } from '../conversations/citation.ts';

/** An event of a streamed answer. The order is `meta`, `sources`, any number of `delta`, then `done` or `error`. */
export type ChatEvent =
  | { readonly type: 'meta'; readonly conversationId: string; readonly messageId: string }
  | AnswerEvent
  | { readonly type: 'done'; readonly reply: ChatReply }
  | {
      readonly type: 'error';
      readonly message: string;
      readonly code: ErrorCode;
      readonly retryable: boolean;
    };

export type AnswerEvent =
  | {
      readonly type: 'sources';
      readonly citations: readonly Citation[];
      readonly confidence: number;
      /** See `ChatReply`. Undefined in events that an older version has stored. */
      readonly correctedQuestion?: string | null;
    }
  | { readonly type: 'delta'; readonly text: string };

/** A complete answer, as `POST /chat` returns it. */
export interface ChatReply {
  readonly conversationId: string;
  readonly messageId: string;
  readonly content: string;
  readonly citations: readonly Citation[];
  /** Confidence in the answer, 0 to 1. */
  readonly confidence: number;
  readonly latencyMs: number;
  /** The message with corrected spelling, which the search used. Null if nothing was corrected. */
  readonly correctedQuestion: string | null;
  /** Null unless the message was small talk. */
  readonly intent: Intent | null;
  /** Null if no chat model wrote the answer. Undefined in events that an older version has stored. */
  readonly finishReason?: FinishReason | null;
  /** Tokens of the chat model. Undefined in events that an older version has stored. */
  readonly usage?: TokenUsage;
}
