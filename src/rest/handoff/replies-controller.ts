import {
  Body,
  Extension,
  Path,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { messageFields, type TranscriptMessage } from '../conversations/transcript.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { RestController } from '../request/rest-call.ts';
import type { ActingAgent } from './handoff-record.ts';

export interface ReplyRequest extends ActingAgent {
  /**
   * Text of the reply.
   * @minLength 1
   * @maxLength 10000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "The refund is on its way. It arrives within two days."
   */
  readonly content: string;
}

@Route('conversations')
@Tags('Handoff')
@Security('apiKey', ['handoff:write'])
export class RepliesController extends RestController {
  /**
   * Sends a reply to the end user of a conversation that an agent owns. The author is the member in `agent`, or the API
   * key itself as `key:` and its name. Any agent may reply, not only the owner of the handoff.
   * @summary Reply as an agent
   */
  @Post('{conversationId}/replies')
  @Extension('x-idempotent', true)
  @SuccessResponse(201, 'The reply as stored in the transcript')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'No agent owns the conversation, or the role of the member cannot take handoffs (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async replyToConversation(
    @Path() conversationId: string,
    @Body() body: ReplyRequest,
  ): Promise<TranscriptMessage> {
    const input = { ...body, conversationId };
    return (await executeGraphql(this.call, replyMutation, { input })).replyToConversation;
  }
}

const replyMutation = graphql(`
  mutation replyToConversation($input: ReplyToConversationInput!) {
    replyToConversation(input: $input) { ${messageFields} }
  }
`);
