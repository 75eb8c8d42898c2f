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
import {
  type ChatEvent,
  type ChatResponse,
  eventFields,
  frameOf,
  replyFields,
  type StreamedEvent,
} from './chat-answer.ts';
import type { ErrorBody } from './errors.ts';
import { graphql, run, watch } from './execute.ts';
import type { ProjectBody } from './project-rule.ts';
import { sendEvents } from './sse.ts';

export interface ChatRequest extends ProjectBody {
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

const sendMessageDocument = graphql<{ readonly sendMessage: ChatResponse }>(`
  mutation sendMessage($input: SendMessageInput!) { sendMessage(input: $input) { ${replyFields} } }
`);

const chatDocument = graphql<{ readonly chat: ChatEvent }>(`
  subscription chat($input: SendMessageInput!) { chat(input: $input) { ${eventFields} } }
`);
