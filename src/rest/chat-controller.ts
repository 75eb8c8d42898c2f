import {
  Body,
  Extension,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
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
   * @format uuid
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
   * `true`: the answer goes on to its end when the connection is lost, and its stream can be read from where it was
   * lost with `GET /chat/{messageId}/stream`, until ten minutes after the end. Otherwise a lost connection ends the
   * answer, as `STOPPED`.
   * @default false
   */
  readonly resumable?: boolean;
  /**
   * The project to act on: with an org-wide key only, and always then.
   * @format uuid
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

@Route('chat')
@Tags('Chat')
@Security('apiKey', ['chat'])
export class ChatController extends RestController {
  /**
   * Answers an end user's message from the project's documents, as one JSON response or, with
   * `stream: true`, as server-sent events. Each event is one line `data: {json}` and a blank line.
   * A failure before the first event is a plain HTTP error.
   *
   * A stream ends with `done` or with `error`. One that ends without either was cut off: the connection was lost, or
   * the client left what was sent unread for a minute. With `resumable: true` it can be resumed. An answer can be ended
   * early with `POST /chat/{messageId}/stop`; it is then `done` with what there is of it.
   *
   * While a person has the conversation the answer is the project's holding text, at once: there is nothing to
   * resume or to stop.
   *
   * Needs the scope `chat`.
   * @summary Send a message and get a grounded answer
   */
  @Post()
  @Extension('x-idempotent', true)
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

export const citationFields =
  'documentId documentName chunkId score quote page startOffset endOffset';
const replyFields = `conversationId messageId content citations { ${citationFields} } confidence latencyMs`;

const sendMessageDocument = graphql<{ readonly sendMessage: ChatResponse }>(`
  mutation sendMessage($input: SendMessageInput!) { sendMessage(input: $input) { ${replyFields} } }
`);

export const eventFields = `
  __typename
  ... on ChatMeta { conversationId messageId }
  ... on ChatSources { citations { ${citationFields} } confidence }
  ... on ChatDelta { text }
  ... on ChatDone { reply { ${replyFields} } }
  ... on ChatError { message code retryable }
`;

const chatDocument = graphql<{ readonly chat: ChatEvent }>(`
  subscription chat($input: SendMessageInput!) { chat(input: $input) { ${eventFields} } }
`);

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
