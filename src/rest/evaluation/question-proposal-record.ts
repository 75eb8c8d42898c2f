import type { PageFields, PageQuery } from '../request/pagination.ts';

export interface QuestionProposalsQuery extends PageQuery {
  /**
   * Only questions asked at or after this time. Either ISO 8601 with `Z` or an offset, or a date, which means 00:00
   * UTC. In a URL, write `+` as `%2B`. Default: 30 days ago.
   * @example "2026-11-01T00:00:00Z"
   */
  readonly since?: string;
  /**
   * Only questions with this reason. Default: any.
   * @example "RESOLVED"
   */
  readonly reason?: 'UNANSWERED' | 'RATED_DOWN' | 'CLAIMED' | 'RESOLVED';
}

/** A question of end users that the set does not have yet. */
export interface QuestionProposalRecord {
  /**
   * The question.
   * @maxLength 4000
   * @example "Do you deliver to Norway?"
   */
  readonly question: string;
  /**
   * Why it is proposed. `UNANSWERED`: its answer had a low confidence. `RATED_DOWN`: its answer was rated `DOWN`.
   * `CLAIMED`: it is the last question before an agent took over. `RESOLVED`: the same, and the handoff is resolved. If
   * several apply, the strongest: `RESOLVED` with a reply, then `CLAIMED`, `RESOLVED`, `RATED_DOWN`, `UNANSWERED`.
   * @example "RESOLVED"
   */
  readonly reason: 'UNANSWERED' | 'RATED_DOWN' | 'CLAIMED' | 'RESOLVED';
  /**
   * Id of the conversation.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * Id of the message with the question: the latest one with this reason.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a12"
   */
  readonly messageId: string;
  /**
   * Time of this message.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly askedAt: string;
  /**
   * Number of questions with this wording among those that were read. Case and white space are ignored.
   * @isInt
   * @minimum 1
   * @example 3
   */
  readonly count: number;
  /**
   * The first 500 characters of what the assistant answered. Null without a completed answer.
   * @maxLength 500
   * @example "I could not find an answer in the documents."
   */
  readonly answer: string | null;
  /**
   * The first 1,000 characters of the agent's first reply. Null unless the reason is `CLAIMED` or `RESOLVED` and an agent
   * has replied.
   * @maxLength 1000
   * @example "Yes, we deliver to Norway within five days."
   */
  readonly humanReply: string | null;
}

export interface QuestionProposalPage extends PageFields {
  /** The questions, newest first. */
  readonly data: QuestionProposalRecord[];
}

export const proposalFields =
  'question reason conversationId messageId askedAt count answer humanReply';
