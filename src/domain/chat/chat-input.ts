import type { HistoryMessage } from '../../models/models.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';

/** A message of an end user. */
export interface ChatInput {
  readonly projectId?: string | null;
  readonly message: string;
  readonly conversationId?: string | null;
  readonly endUserId?: string | null;
  /** The end user of a new conversation, if a website has verified the `endUserId`. */
  readonly verifiedEndUser?: EndUserContact | null;
  /** Earlier messages, oldest first, of a conversation that the client stores itself. Default: the stored ones. */
  readonly history?: readonly HistoryMessage[] | null;
  /** Whether generation continues after the client disconnects. The client can reconnect with `resumeAnswer`. */
  readonly resumable?: boolean | null;
  /** The documents to answer this message from, as JSON (`parseFilter`). It does not apply to later messages. */
  readonly filter?: unknown;
}

/** How a verified end user is called. */
export interface EndUserContact {
  readonly name: string | null;
  readonly email: string | null;
}

/** A chat input with its filter parsed. */
export interface CheckedChatInput extends ChatInput {
  readonly filter: DocumentFilter | null;
}
