import type { HistoryMessage } from '../../models/models.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';

/** A message of an end user. */
export interface ChatInput {
  readonly projectId?: string | null;
  readonly message: string;
  readonly conversationId?: string | null;
  readonly endUserId?: string | null;
  /** Earlier messages, oldest first, of a conversation that the client stores itself. Default: the stored ones. */
  readonly history?: readonly HistoryMessage[] | null;
  /** Whether generation continues after the client disconnects. The client can reconnect with `resumeAnswer`. */
  readonly resumable?: boolean | null;
  /** The documents to answer this message from, as JSON (`parseFilter`). It does not apply to later messages. */
  readonly filter?: unknown;
}

/** A chat input with its filter parsed. */
export interface CheckedChatInput extends ChatInput {
  readonly filter: DocumentFilter | null;
}
