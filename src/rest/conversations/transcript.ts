import { type Citation, citationFields } from '../chat/chat-response.ts';

export interface ConversationRecord {
  /** Id of the conversation. */
  readonly id: string;
  readonly projectId: string;
  /**
   * `OPEN` while only the assistant answers, `HANDOFF_REQUESTED` while the conversation waits for an agent, `HUMAN`
   * while an agent owns it, then `RESOLVED`. A new message of the end user reopens a resolved conversation.
   * @example "OPEN"
   */
  readonly status: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /**
   * Your identifier for the end user. Null if you sent none.
   * @minLength 1
   * @maxLength 128
   * @example "customer-4711"
   */
  readonly endUserId: string | null;
  /**
   * Name that the end user gave, or null. It is not verified.
   * @maxLength 200
   * @example "Ada Lovelace"
   */
  readonly endUserName?: string | null;
  /**
   * E-mail address that the end user gave, or null. It is not verified.
   * @maxLength 254
   * @example "ada@example.com"
   */
  readonly endUserEmail?: string | null;
  /**
   * The first characters of the first message.
   * @maxLength 80
   * @example "Which files can I upload?"
   */
  readonly title: string;
  /** Number of all messages, including answers that are still being generated. */
  readonly messageCount: number;
  readonly lastMessageAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Transcript extends ConversationRecord {
  readonly messages: TranscriptMessage[];
  readonly handoff: TranscriptHandoff | null;
}

export interface TranscriptMessage {
  /**
   * Id of the message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly id: string;
  /**
   * The author: the end `USER`, the `ASSISTANT`, an `AGENT` of your team, or the `SYSTEM` (this service).
   * @example "ASSISTANT"
   */
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT' | 'SYSTEM';
  /**
   * The name that the agent has chosen for end users, as it was when the reply was sent. Null if the agent had none, and
   * for messages of other roles.
   * @maxLength 60
   * @example "Ada"
   */
  readonly authorName: string | null;
  /**
   * Text of the message. Empty while an answer is `GENERATING`.
   * @example "You can upload PDF, DOCX, TXT, CSV and Markdown files [1]."
   */
  readonly content: string;
  /** The chunks that an answer cites. Empty for other messages. */
  readonly citations: Citation[];
  /**
   * Calibrated probability that the project's documents support the answer. Null for messages that are not answers.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number | null;
  /**
   * Time from the request to the complete answer, in milliseconds. Null for messages that are not answers.
   * @isInt
   * @minimum 0
   * @example 840
   */
  readonly latencyMs: number | null;
  /**
   * Status of an answer: `GENERATING`, then `COMPLETED`, `STOPPED` by the client, or `FAILED`. Other messages are
   * always `COMPLETED`.
   * @example "COMPLETED"
   */
  readonly status: 'GENERATING' | 'COMPLETED' | 'STOPPED' | 'FAILED';
  /**
   * Time when the message was sent. An answer has the time of its question.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
}

export interface TranscriptHandoff {
  /**
   * Id of the handoff.
   * @format uuid
   * @example "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  readonly id: string;
  /**
   * `REQUESTED` until an agent claims the handoff, then `CLAIMED`, and finally `RESOLVED`.
   * @example "REQUESTED"
   */
  readonly status: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  /**
   * E-mail address of the end user, or null.
   * @maxLength 254
   * @example "ada@example.com"
   */
  readonly email: string | null;
  /**
   * Name of the end user, or null.
   * @maxLength 200
   * @example "Ada Lovelace"
   */
  readonly name: string | null;
  /**
   * Why an agent is needed, or null.
   * @maxLength 2000
   * @example "The refund has not arrived after two weeks."
   */
  readonly reason: string | null;
  /**
   * Time when the handoff was requested.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly requestedAt: string;
  /**
   * Time when an agent claimed the handoff, or null.
   * @format date-time
   * @example "2026-11-21T09:34:12.000Z"
   */
  readonly claimedAt: string | null;
  /**
   * Time when the handoff was resolved, or null.
   * @format date-time
   * @example "2026-11-21T09:51:40.000Z"
   */
  readonly resolvedAt: string | null;
  /**
   * The question how satisfied the end user was with the agent. Null if the end user was not asked: the handoff is open
   * or was returned to the assistant, no agent had claimed it, or the project does not ask this question.
   */
  readonly satisfaction: HandoffSatisfaction | null;
}

/** Does not contain the agent, because end users see transcripts. */
export interface HandoffSatisfaction {
  /**
   * @isInt
   * @minimum 1
   * @maximum 5
   * @example 5
   */
  readonly rating: number | null;
  /**
   * @maxLength 2000
   * @example "Solved in five minutes."
   */
  readonly comment: string | null;
  /** Time when the end user was asked for a rating: when the handoff was resolved. */
  readonly askedAt: string;
  readonly ratedAt: string | null;
  readonly ratableUntil: string;
}
export const conversationFields =
  'id projectId status endUserId endUserName endUserEmail title messageCount lastMessageAt createdAt updatedAt';
export const messageFields =
  `id role authorName content citations { ${citationFields} } confidence latencyMs status createdAt` as const;
export const satisfactionFields = 'rating comment askedAt ratedAt ratableUntil';
export const handoffFields =
  `id status email name reason requestedAt claimedAt resolvedAt satisfaction { ${satisfactionFields} }` as const;
