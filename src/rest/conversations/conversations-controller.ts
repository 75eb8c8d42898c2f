import { Get, Path, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { type PageFields, type PageQuery, pageFields } from '../request/pagination.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import {
  type ConversationRecord,
  conversationFields,
  handoffFields,
  messageFields,
  type Transcript,
} from './transcript.ts';

export interface ConversationListQuery extends PageQuery {
  /**
   * Only conversations with this status.
   * @example "OPEN"
   */
  readonly status?: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /**
   * Only conversations of this end user. The identifier must equal the identifier that you sent to the chat.
   * @minLength 1
   * @maxLength 128
   * @pattern ^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$
   * @example "customer-4711"
   */
  readonly endUserId?: string;
  /**
   * Only conversations with this text in any message, or in the name or e-mail address of the end user.
   * Case-insensitive.
   * @maxLength 255
   * @example "refund"
   */
  readonly search?: string;
  /**
   * Only conversations whose `lastMessageAt` is at or after this time. Either ISO 8601 with `Z` or an offset, or a
   * date, which means 00:00 UTC. In a URL, write `+` as `%2B`.
   * @example "2026-11-01T00:00:00Z"
   */
  readonly from?: string;
  /**
   * Only conversations whose `lastMessageAt` is at or before this time. A date includes the whole day, UTC. If `to` is
   * before `from`, no conversation matches.
   * @example "2026-11-30T23:59:59.999Z"
   */
  readonly to?: string;
}

export interface ConversationPage extends PageFields {
  /** The conversations, newest message first. */
  readonly data: ConversationRecord[];
}

@Route('conversations')
@Tags('Conversations')
@Security('apiKey', ['conversations:read'])
export class ConversationsController extends RestController {
  /**
   * Lists the project's conversations, newest message first. A conversation must match all filters.
   * @summary List conversations
   */
  @Get()
  @SuccessResponse(200, 'A page of conversations')
  async listConversations(@Queries() query: ConversationListQuery): Promise<ConversationPage> {
    return (await executeGraphql(this.call, listConversationsQuery, query)).conversationPage;
  }

  /**
   * Reads a conversation with its full transcript.
   * @summary Get a conversation with its transcript
   */
  @Get('{conversationId}')
  @SuccessResponse(200, 'The conversation with all its messages')
  async getConversation(
    @Path() conversationId: string,
    @Queries() query: ProjectQuery,
  ): Promise<Transcript> {
    const variables = { ...query, conversationId };
    return (await executeGraphql(this.call, getConversationQuery, variables, { isWhole: true }))
      .transcript;
  }
}

const listConversationsQuery = graphql(`
  query listConversations(
    $projectId: ID!, $page: Int, $limit: Int, $status: ConversationStatus, $endUserId: String,
    $search: String, $from: DateTime, $to: DateTime
  ) {
    conversationPage(
      projectId: $projectId, page: $page, limit: $limit, status: $status, endUserId: $endUserId,
      search: $search, from: $from, to: $to
    ) {
      data { ${conversationFields} } ${pageFields}
    }
  }
`);

const getConversationQuery = graphql(`
  query getConversation($conversationId: ID!, $projectId: ID!) {
    transcript(conversationId: $conversationId, projectId: $projectId) {
      ${conversationFields}
      messages { ${messageFields} }
      handoff { ${handoffFields} }
    }
  }
`);
