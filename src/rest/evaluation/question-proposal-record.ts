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
   * Text of the end user's message `messageId`.
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
  readonly conversationId: string;
  readonly messageId: string;
  /** Time of this message. */
  readonly askedAt: string;
  /**
   * @isInt
   * @minimum 1
   * @example 3
   */
  readonly count: number;
  /**
   * @maxLength 500
   * @example "I could not find an answer in the documents."
   */
  readonly answer: string | null;
  /**
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
