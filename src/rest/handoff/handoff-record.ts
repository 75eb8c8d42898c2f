import { handoffFields, type TranscriptHandoff } from '../conversations/transcript.ts';
import type { PageFields, PageQuery } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';

export interface HandoffListQuery extends PageQuery {
  /**
   * Only handoffs with this status.
   * @example "REQUESTED"
   */
  readonly status?: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  /**
   * Only handoffs with this current or last owner: a member's e-mail address, or `key:` and the name of an API key.
   * @maxLength 254
   * @example "grace@example.com"
   */
  readonly claimedBy?: string;
  /**
   * Only handoffs with this text in the end user's name or e-mail address, in the reason, or in the title of the
   * conversation. Case-insensitive.
   * @maxLength 255
   * @example "refund"
   */
  readonly search?: string;
}

export interface ActingAgent extends ProjectBody {
  /**
   * E-mail address of the member in whose name the API key acts: an owner, admin or agent of the organization. Default:
   * the API key acts in its own name, `key:` and the name of the key.
   * @maxLength 254
   * @pattern ^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$
   * @extension {"x-pattern-message": "must be an e-mail address"}
   * @example "grace@example.com"
   */
  readonly agent?: string;
}

export interface TransferRequest extends ProjectBody {
  /**
   * E-mail address of the new owner of the handoff. The new owner must be an owner, admin or agent of the organization.
   * @maxLength 254
   * @pattern ^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$
   * @extension {"x-pattern-message": "must be an e-mail address"}
   * @example "grace@example.com"
   */
  readonly to: string;
  /**
   * Text of an internal note that the caller adds. Ignored if the handoff already belongs to this member.
   * @minLength 1
   * @maxLength 5000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Asked for a refund twice. Please check the invoice."
   */
  readonly note?: string;
}

export interface ReleaseRequest extends ActingAgent {
  /**
   * Text of an internal note that the caller adds. Ignored if the handoff is already waiting.
   * @minLength 1
   * @maxLength 5000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Needs somebody who knows the invoices."
   */
  readonly note?: string;
}

export interface HandoffRecord extends TranscriptHandoff {
  readonly projectId: string;
  readonly conversationId: string;
  /**
   * @maxLength 254
   * @example "grace@example.com"
   */
  readonly claimedBy: string | null;
  readonly firstReplyAt: string | null;
  readonly firstReplyDueAt: string | null;
  readonly resolutionDueAt: string | null;
}

export interface HandoffPage extends PageFields {
  /** The handoffs, latest request first. */
  readonly data: HandoffRecord[];
}

export const handoffRecordFields =
  `${handoffFields} projectId conversationId claimedBy firstReplyAt firstReplyDueAt resolutionDueAt` as const;
