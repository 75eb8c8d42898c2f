import type { SseEvent } from '../../http/send-events.ts';
import { deltaTextOf } from '../graphql/execute-graphql.ts';
import type { DocumentLink } from '../knowledge/document-filter.ts';

export interface ChatResponse {
  /**
   * The conversation. Send it with the next message to continue.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * Id of the assistant's message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly messageId: string;
  /**
   * The answer. A marker such as `[1]` is a position in `citations`, counted from 1.
   * @example "You can upload PDF, DOCX, TXT, CSV and Markdown files [1]."
   */
  readonly content: string;
  /** The chunks that the answer cites. Empty if the documents do not contain the answer. */
  readonly citations: Citation[];
  /**
   * Calibrated probability that the project's documents support the answer.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number;
  /**
   * Time from the request to the complete answer, in milliseconds.
   * @isInt
   * @minimum 0
   * @example 840
   */
  readonly latencyMs: number;
}

export interface Citation extends DocumentLink {
  readonly documentId: string;
  /**
   * Name of the document.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly documentName: string;
  readonly chunkId: string;
  /**
   * Relevance of the chunk to the question.
   * @minimum 0
   * @maximum 1
   * @example 0.87
   */
  readonly score: number;
  /** @example "You can upload PDF, DOCX, TXT, CSV and Markdown files." */
  readonly quote: string | null;
  /**
   * @isInt
   * @minimum 1
   * @example 2
   */
  readonly page: number | null;
  readonly startOffset: number;
  /**
   * End of the chunk (exclusive) in the document's extracted text, in Unicode code points.
   * @isInt
   * @minimum 1
   * @example 1816
   */
  readonly endOffset: number;
}

/** An event of a streamed answer. Order: `meta`, `sources`, any number of `delta`, then `done` or `error`. */
export type StreamedEvent = MetaEvent | SourcesEvent | DeltaEvent | DoneEvent | ErrorEvent;

interface SequencedEvent {
  /**
   * Number of the event in the stream, counted from 0.
   * @isInt
   * @minimum 0
   * @example 0
   */
  readonly seq: number;
}

/** The first event. It contains the ids of the conversation and of the answer. */
export interface MetaEvent extends SequencedEvent {
  readonly type: 'meta';
  /**
   * The conversation. Send it with the next message to continue.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * Id of the assistant's message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly messageId: string;
}

/** Sent when retrieval is complete. */
export interface SourcesEvent extends SequencedEvent {
  readonly type: 'sources';
  /**
   * The chunks that the answer is generated from, best first. Markers in the text do not refer to this list but to the
   * citations of the `done` event, which contains only the cited chunks.
   */
  readonly citations: Citation[];
  /**
   * Calibrated probability that the chunks support an answer. The `done` event contains the value for the complete
   * answer.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number;
}

/** A part of the answer. All parts joined in order equal the `content` of the `done` event. */
export interface DeltaEvent extends SequencedEvent {
  readonly type: 'delta';
  /**
   * The next part of the answer's text.
   * @example "You can upload PDF"
   */
  readonly text: string;
}

/** The last event of a successful stream: the complete, authoritative response. */
export interface DoneEvent extends SequencedEvent, ChatResponse {
  readonly type: 'done';
}

/** The last event of a stream that failed. */
export interface ErrorEvent extends SequencedEvent {
  readonly type: 'error';
  /**
   * Human-readable description of the error, safe to log.
   * @example "The model stopped answering"
   */
  readonly message: string;
  /**
   * Stable error code for programs.
   * @pattern ^[A-Z_]+$
   * @example "MODEL_ERROR"
   */
  readonly code: string;
  /**
   * Whether the same message may succeed if you send it again.
   * @example true
   */
  readonly retryable: boolean;
}

export const citationFields =
  'documentId documentName chunkId score quote page startOffset endOffset sourceUrl metadata';
export const chatResponseFields =
  `conversationId messageId content citations { ${citationFields} } confidence latencyMs` as const;

export const chatEventFields = `
  __typename
  ... on ChatMeta { conversationId messageId }
  ... on ChatSources { citations { ${citationFields} } confidence }
  ... on ChatDelta { text }
  ... on ChatDone { reply { ${chatResponseFields} } }
  ... on ChatError { message code retryable }
` as const;

/** An event with the fields that `chatEventFields` selects. */
export type ChatEvent =
  | ({ readonly __typename: 'ChatMeta' } & WithoutSequence<MetaEvent>)
  | ({ readonly __typename: 'ChatSources' } & WithoutSequence<SourcesEvent>)
  | ({ readonly __typename: 'ChatDelta' } & WithoutSequence<DeltaEvent>)
  | { readonly __typename: 'ChatDone'; readonly reply: ChatResponse }
  | ({ readonly __typename: 'ChatError' } & WithoutSequence<ErrorEvent>);

type WithoutSequence<Event> = Omit<Event, 'type' | 'seq'>;

/**
 * Returns the result of an event that is a part of the text. Returns null for other events, which `subscribeGraphql`
 * must execute.
 */
export function readChatDelta(event: unknown): ChatEvent | null {
  const text = deltaTextOf(event);
  return text === null ? null : { __typename: 'ChatDelta', text };
}

export function toSseEvent(event: ChatEvent): SseEvent {
  if (event.__typename === 'ChatDone') return { type: 'done', ...event.reply };
  const { __typename, ...fields } = event;
  return { type: sseEventTypes[__typename], ...fields };
}

const sseEventTypes = {
  ChatMeta: 'meta',
  ChatSources: 'sources',
  ChatDelta: 'delta',
  ChatError: 'error',
} as const;
