import type { HistoryMessage } from '../../models/models.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';

/** A message of an end user. */
export interface ChatInput {
  readonly projectId?: string | null;
  readonly message: string;
  readonly conversationId?: string | null;
  readonly endUserId?: string | null;
  /** Contact data for a new conversation. Set only if a website has verified the `endUserId`. */
  readonly verifiedEndUser?: EndUserContact | null;
  /**
   * Earlier messages, oldest first, for clients that store the conversation themselves. Default: the stored messages.
   */
  readonly history?: readonly HistoryMessage[] | null;
  /** Whether generation continues after the client disconnects. The client can reconnect with `resumeAnswer`. */
  readonly resumable?: boolean | null;
  /**
   * Filter of the documents that may answer this message, as JSON (`parseFilter`). Later messages do not inherit it.
   */
  readonly filter?: unknown;
}

/** Name and e-mail address of a verified end user. */
export interface EndUserContact {
  readonly name: string | null;
  readonly email: string | null;
}

/** A chat input whose filter is already parsed. */
export interface CheckedChatInput extends ChatInput {
  readonly filter: DocumentFilter | null;
}
