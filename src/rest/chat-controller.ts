import { Body, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { RestController } from './call.ts';
import type { ErrorBody } from './errors.ts';
import { graphql, run, watch } from './execute.ts';
import { type Frame, sendEvents } from './sse.ts';

export interface ChatRequest {
  /**
   * The end user's message.
   * @minLength 1
   * @maxLength 4000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "How long do I have to send an item back?"
   */
  readonly message: string;
  /**
   * Continues this conversation; without it a new one starts.
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId?: string;
  /**
   * Your stable identifier for the end user, of printable characters. Threads this user's conversations
   * across sessions. A conversation keeps the first one given to it.
   * @minLength 1
   * @maxLength 128
   * @pattern ^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$
   * @extension {"x-pattern-message": "must be printable characters"}
   * @example "customer-4711"
   */
  readonly endUserId?: string;
  /**
   * `true`: the answer is a stream of server-sent events.
   * @default false
   */
  readonly stream?: boolean;
  /**
   * The project to act on: with an org-wide key only, and always then.
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId?: string;
}

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
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly documentId: string;
  /** @example "returns.pdf" */
  readonly documentName: string;
  /**
   * @format uuid
   * @example "01980a3b-2d44-7f02-9a31-4c5d6e7f8091"
   */
  readonly chunkId: string;
  /**
   * Relevance of the chunk.
   * @minimum 0
   * @maximum 1
   * @example 0.87
   */
  readonly score: number;
  /**
   * Verbatim text of the chunk that supports the answer.
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
   * Where the chunk begins in the document's extracted text.
   * @isInt
   * @example 1204
   */
  readonly startOffset: number;
  /**
   * Where the chunk ends.
   * @isInt
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
   */
  readonly seq: number;
}

/** The first event. */
export interface MetaEvent extends Numbered {
  readonly type: 'meta';
  /** @format uuid */
  readonly conversationId: string;
  /** @format uuid */
  readonly messageId: string;
}

/** Sent once retrieval is complete. */
export interface SourcesEvent extends Numbered {
  readonly type: 'sources';
  readonly citations: Citation[];
  readonly confidence: number;
}

/** A piece of the answer. All pieces joined in order are the `content` of the `done` event. */
export interface DeltaEvent extends Numbered {
  readonly type: 'delta';
  /** @example "You have 30 days" */
  readonly text: string;
}

/** The last event: the complete response, which is authoritative. */
export interface DoneEvent extends Numbered, ChatResponse {
  readonly type: 'done';
}

/** The last event where something failed in the middle of the stream. */
export interface ErrorEvent extends Numbered {
  readonly type: 'error';
  /** @example "The model stopped answering" */
  readonly message: string;
  /** @example "MODEL_ERROR" */
  readonly code: string;
  /** Whether the same message may succeed when it is sent again. */
  readonly retryable: boolean;
}

@Route('chat')
@Tags('Chat')
@Security('apiKey', ['chat'])
export class ChatController extends RestController {
  /**
   * Answers an end user's message from the project's documents, as one JSON response or, with
   * `stream: true`, as server-sent events. Each event is one line `data: {json}` and a blank line.
   * A failure before the first event is a plain HTTP error.
   *
   * Needs the scope `chat`.
   * @summary Send a message and get a grounded answer
   */
  @Post()
  @SuccessResponse(200, 'The answer, or with `stream: true` the stream of it')
  @Response<StreamedEvent>('2XX', 'The stream', undefined, 'text/event-stream')
  @Response<ErrorBody>(402, "The plan's monthly message allowance is used up (`QUOTA_EXCEEDED`)")
  async sendMessage(@Body() body: ChatRequest): Promise<ChatResponse | undefined> {
    const { stream, ...input } = body;
    if (stream) {
      const events = await watch(this.call, chatDocument, { input });
      await sendEvents(this.call, events, ({ chat }) => frameOf(chat));
      return undefined;
    }
    return (await run(this.call, sendMessageDocument, { input })).sendMessage;
  }
}

const citationFields = 'documentId documentName chunkId score quote page startOffset endOffset';
const replyFields = `conversationId messageId content citations { ${citationFields} } confidence latencyMs`;

const sendMessageDocument = graphql<{ readonly sendMessage: ChatResponse }>(`
  mutation sendMessage($input: SendMessageInput!) { sendMessage(input: $input) { ${replyFields} } }
`);

const chatDocument = graphql<{ readonly chat: ChatEvent }>(`
  subscription chat($input: SendMessageInput!) {
    chat(input: $input) {
      __typename
      ... on ChatMeta { conversationId messageId }
      ... on ChatSources { citations { ${citationFields} } confidence }
      ... on ChatDelta { text }
      ... on ChatDone { reply { ${replyFields} } }
      ... on ChatError { message code retryable }
    }
  }
`);

type ChatEvent =
  | ({ readonly __typename: 'ChatMeta' } & Unnumbered<MetaEvent>)
  | ({ readonly __typename: 'ChatSources' } & Unnumbered<SourcesEvent>)
  | ({ readonly __typename: 'ChatDelta' } & Unnumbered<DeltaEvent>)
  | { readonly __typename: 'ChatDone'; readonly reply: ChatResponse }
  | ({ readonly __typename: 'ChatError' } & Unnumbered<ErrorEvent>);

type Unnumbered<Event> = Omit<Event, 'type' | 'seq'>;

function frameOf(event: ChatEvent): Frame {
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
