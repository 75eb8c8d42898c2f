import { type Citation, citationFields } from './chat-answer.ts';

export interface ConversationRecord {
  /**
   * Identifies the conversation.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly id: string;
  /**
   * The project it belongs to.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * `OPEN` while the assistant alone answers, `HANDOFF_REQUESTED` while it waits for a person, `HUMAN` while a
   * person has it, then `RESOLVED`. A new message of the end user opens a resolved one again.
   * @example "OPEN"
   */
  readonly status: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /**
   * Your identifier for the end user, or null where none was given.
   * @minLength 1
   * @maxLength 128
   * @example "customer-4711"
   */
  readonly endUserId: string | null;
  /**
   * The beginning of the first message.
   * @maxLength 80
   * @example "How long can I send an item back?"
   */
  readonly title: string;
  /**
   * Messages of all sides, answers that are still generated included.
   * @isInt
   * @minimum 0
   * @example 2
   */
  readonly messageCount: number;
  /**
   * When the last message came in; an answer counts with its question.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly lastMessageAt: string;
  /**
   * When the conversation began.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * When anything of this record last changed.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly updatedAt: string;
}

export interface Transcript extends ConversationRecord {
  /** All messages, oldest first. */
  readonly messages: TranscriptMessage[];
  /** The latest time a person was asked for, or null. */
  readonly handoff: TranscriptHandoff | null;
}

export interface TranscriptMessage {
  /**
   * Identifies the message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly id: string;
  /**
   * The end `USER`, the `ASSISTANT`, an `AGENT` of your team, or the `SYSTEM`, which is this service.
   * @example "ASSISTANT"
   */
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT' | 'SYSTEM';
  /**
   * The text; empty while an answer is `GENERATING`.
   * @example "You have 30 days to send an item back [1]."
   */
  readonly content: string;
  /** The chunks an answer is grounded in, best first. */
  readonly citations: Citation[];
  /**
   * Of an answer: calibrated probability that the project's documents support it. Otherwise null.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number | null;
  /**
   * Of an answer: time taken, in milliseconds. Otherwise null.
   * @isInt
   * @minimum 0
   * @example 840
   */
  readonly latencyMs: number | null;
  /**
   * An answer is `GENERATING`, then `COMPLETED`, `STOPPED` by its reader, or `FAILED`. What others say is
   * `COMPLETED`.
   * @example "COMPLETED"
   */
  readonly status: 'GENERATING' | 'COMPLETED' | 'STOPPED' | 'FAILED';
  /**
   * When it was sent; of an answer, when its question was.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
}

export interface TranscriptHandoff {
  /**
   * Identifies the handoff.
   * @format uuid
   * @example "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  readonly id: string;
  /**
   * `REQUESTED` until somebody of the team takes it, then `CLAIMED`, and `RESOLVED` at the end.
   * @example "REQUESTED"
   */
  readonly status: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  /**
   * Where the end user can be reached, or null.
   * @maxLength 254
   * @example "ada@example.com"
   */
  readonly email: string | null;
  /**
   * The end user's name, or null.
   * @maxLength 200
   * @example "Ada Lovelace"
   */
  readonly name: string | null;
  /**
   * Why a person is needed, or null.
   * @maxLength 2000
   * @example "The refund has not arrived after two weeks."
   */
  readonly reason: string | null;
  /**
   * When a person was asked for.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly requestedAt: string;
  /**
   * When somebody took it, or null.
   * @format date-time
   * @example "2026-11-21T09:34:12.000Z"
   */
  readonly claimedAt: string | null;
  /**
   * When it was done with, or null.
   * @format date-time
   * @example "2026-11-21T09:51:40.000Z"
   */
  readonly resolvedAt: string | null;
}
export const conversationFields =
  'id projectId status endUserId title messageCount lastMessageAt createdAt updatedAt';
export const messageFields = `id role content citations { ${citationFields} } confidence latencyMs status createdAt`;
export const handoffFields = 'id status email name reason requestedAt claimedAt resolvedAt';
