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
import type { ErrorBody } from '../../http/errors.ts';
import { sendEvents } from '../../http/send-events.ts';
import { executeGraphql, graphql, subscribeGraphql } from '../graphql/execute-graphql.ts';
import type { FilterBody } from '../knowledge/document-filter.ts';
import { RestController } from '../request/rest-call.ts';
import {
  type ChatResponse,
  chatEventFields,
  chatResponseFields,
  readChatDelta,
  type StreamedEvent,
  toSseEvent,
} from './chat-response.ts';

export interface ChatRequest extends FilterBody {
  /**
   * The end user's message.
   * @minLength 1
   * @maxLength 4000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Which files can I upload?"
   */
  readonly message: string;
  /**
   * The conversation to continue. Without it, a new conversation starts.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId?: string;
  /**
   * Your stable identifier for the end user, in printable characters. It links the user's conversations
   * across sessions. A conversation keeps the first identifier that it received.
   * @minLength 1
   * @maxLength 128
   * @pattern ^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$
   * @extension {"x-pattern-message": "must be printable characters"}
   * @example "customer-4711"
   */
  readonly endUserId?: string;
  /**
   * If `true`, the answer is streamed as server-sent events.
   * @default false
   */
  readonly stream?: boolean;
  /**
   * If `true`, generation continues when the connection is lost. `GET /chat/{messageId}/stream` then resumes the stream
   * after the last received event, until ten minutes after the answer ended. If `false`, a lost connection stops the
   * answer with the status `STOPPED`.
   * @default false
   */
  readonly resumable?: boolean;
}

@Route('chat')
@Tags('Chat')
@Security('apiKey', ['chat'])
export class ChatController extends RestController {
  /**
   * Answers an end user's message from the project's documents, as one JSON response or, with `stream: true`, as
   * server-sent events. Each event is one line `data: {json}` and a blank line. A failure before the first event is a
   * plain HTTP error.
   *
   * A stream ends with `done` or with `error`. A stream that ends without `done` or `error` was interrupted: the
   * connection was lost, or the client read nothing for a minute. With `resumable: true`, an interrupted stream can be
   * resumed. `POST /chat/{messageId}/stop` stops an answer early. The `done` event then contains the partial answer.
   *
   * While an agent owns the conversation, the answer is the project's holding message. It is sent at once and cannot be
   * resumed or stopped.
   * @summary Send a message and get a grounded answer
   */
  @Post()
  @Extension('x-idempotent', true)
  @SuccessResponse(200, 'The answer, or its stream with `stream: true`')
  @Response<StreamedEvent>('2XX', 'The stream', undefined, 'text/event-stream')
  @Response<ErrorBody>(402, "The plan's monthly message allowance is used up (`QUOTA_EXCEEDED`)")
  async sendMessage(@Body() body: ChatRequest): Promise<ChatResponse | undefined> {
    const { stream, ...input } = body;
    if (stream) {
      const events = await subscribeGraphql(this.call, chatSubscription, { input }, (event) => {
        const chat = readChatDelta(event);
        return chat && { chat };
      });
      await sendEvents(this.call, events, ({ chat }) => toSseEvent(chat));
      return undefined;
    }
    return (await executeGraphql(this.call, sendMessageMutation, { input })).sendMessage;
  }
}

const sendMessageMutation = graphql(`
  mutation sendMessage($input: SendMessageInput!) { sendMessage(input: $input) { ${chatResponseFields} } }
`);

const chatSubscription = graphql(`
  subscription chat($input: SendMessageInput!) { chat(input: $input) { ${chatEventFields} } }
`);
