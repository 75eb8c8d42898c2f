import type { Frame } from './sse.ts';

export interface ChatResponse {
  /**
   * Pass it back to continue the conversation.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * The assistant's message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly messageId: string;
  /**
   * The answer. Markers such as `[1]` point into `citations`, counted from 1.
   * @example "You have 30 days to send an item back [1]."
   */
  readonly content: string;
  /** The chunks the answer is grounded in, best first. Empty where the documents hold nothing relevant. */
  readonly citations: Citation[];
  /**
   * Calibrated probability that the project's documents support the answer.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number;
  /**
   * Time taken, in milliseconds.
   * @isInt
   * @minimum 0
   * @example 840
   */
  readonly latencyMs: number;
}

export interface Citation {
  /**
   * The cited document.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly documentId: string;
  /**
   * The name of the document.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly documentName: string;
  /**
   * The cited piece of the document.
   * @format uuid
   * @example "01980a3b-2d44-7f02-9a31-4c5d6e7f8091"
   */
  readonly chunkId: string;
  /**
   * Relevance of the chunk to the question.
   * @minimum 0
   * @maximum 1
   * @example 0.87
   */
  readonly score: number;
  /**
   * Verbatim text of the chunk that supports the answer, or null where no single passage does.
   * @example "Items can be returned within 30 days of delivery."
   */
  readonly quote: string | null;
  /**
   * Page of a PDF, from 1; otherwise null.
   * @isInt
   * @minimum 1
   * @example 2
   */
  readonly page: number | null;
  /**
   * Where the chunk begins in the document's extracted text, in characters (Unicode code points).
   * @isInt
   * @minimum 0
   * @example 1204
   */
  readonly startOffset: number;
  /**
   * Where the chunk ends: the first character behind it.
   * @isInt
   * @minimum 1
   * @example 1816
   */
  readonly endOffset: number;
}

/** An event of a streamed answer. In order: `meta`, `sources`, `delta` (any number), `done`; or `error` as the last. */
export type StreamedEvent = MetaEvent | SourcesEvent | DeltaEvent | DoneEvent | ErrorEvent;

interface Numbered {
  /**
   * Counts the events of the stream from 0.
   * @isInt
   * @minimum 0
   * @example 0
   */
  readonly seq: number;
}

/** The first event. */
export interface MetaEvent extends Numbered {
  readonly type: 'meta';
  /**
   * Pass it back to continue the conversation.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * The assistant's message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly messageId: string;
}

/** Sent once retrieval is complete. */
export interface SourcesEvent extends Numbered {
  readonly type: 'sources';
  /** The chunks the answer will be grounded in, best first. */
  readonly citations: Citation[];
  /**
   * Calibrated probability that they support an answer. The `done` event has the one of the whole answer.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number;
}

/** A piece of the answer. All pieces joined in order are the `content` of the `done` event. */
export interface DeltaEvent extends Numbered {
  readonly type: 'delta';
  /**
   * What comes next of the answer's text.
   * @example "You have 30 days"
   */
  readonly text: string;
}

/** The last event: the complete response, which is authoritative. */
export interface DoneEvent extends Numbered, ChatResponse {
  readonly type: 'done';
}

/** The last event where something failed in the middle of the stream. */
export interface ErrorEvent extends Numbered {
  readonly type: 'error';
  /**
   * What went wrong, for people; safe to log.
   * @example "The model stopped answering"
   */
  readonly message: string;
  /**
   * What programs branch on; stable.
   * @pattern ^[A-Z_]+$
   * @example "MODEL_ERROR"
   */
  readonly code: string;
  /**
   * Whether the same message may succeed when it is sent again.
   * @example true
   */
  readonly retryable: boolean;
}

export const citationFields =
  'documentId documentName chunkId score quote page startOffset endOffset';
export const replyFields = `conversationId messageId content citations { ${citationFields} } confidence latencyMs`;

export const eventFields = `
  __typename
  ... on ChatMeta { conversationId messageId }
  ... on ChatSources { citations { ${citationFields} } confidence }
  ... on ChatDelta { text }
  ... on ChatDone { reply { ${replyFields} } }
  ... on ChatError { message code retryable }
`;

/** An event as `eventFields` selects it. */
export type ChatEvent =
  | ({ readonly __typename: 'ChatMeta' } & Unnumbered<MetaEvent>)
  | ({ readonly __typename: 'ChatSources' } & Unnumbered<SourcesEvent>)
  | ({ readonly __typename: 'ChatDelta' } & Unnumbered<DeltaEvent>)
  | { readonly __typename: 'ChatDone'; readonly reply: ChatResponse }
  | ({ readonly __typename: 'ChatError' } & Unnumbered<ErrorEvent>);

type Unnumbered<Event> = Omit<Event, 'type' | 'seq'>;

export function frameOf(event: ChatEvent): Frame {
  if (event.__typename === 'ChatDone') return { type: 'done', ...event.reply };
  const { __typename, ...fields } = event;
  return { type: frameTypes[__typename], ...fields };
}

const frameTypes = {
  ChatMeta: 'meta',
  ChatSources: 'sources',
  ChatDelta: 'delta',
  ChatError: 'error',
} as const;
