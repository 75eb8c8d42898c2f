import { Get, Path, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { RestController } from './call.ts';
import { graphql, run } from './execute.ts';
import { type PageFields, type PageQuery, pageFields } from './pages.ts';
import type { ProjectQuery } from './project-rule.ts';
import {
  type ConversationRecord,
  conversationFields,
  handoffFields,
  messageFields,
  type Transcript,
} from './transcript.ts';

export interface ConversationListQuery extends PageQuery {
  /**
   * Only conversations in this state.
   * @example "OPEN"
   */
  readonly status?: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /**
   * Only conversations of this end user: the identifier exactly as it was given to the chat.
   * @minLength 1
   * @maxLength 128
   * @pattern ^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$
   * @example "customer-4711"
   */
  readonly endUserId?: string;
  /**
   * Only conversations with this text in any of their messages, in upper or lower case.
   * @maxLength 255
   * @example "refund"
   */
  readonly search?: string;
  /**
   * Only conversations whose `lastMessageAt` is this moment or later: ISO 8601 with `Z` or an offset, whose `+` is
   * written `%2B` in a URL.
   * @format date-time
   * @example "2026-11-01T00:00:00Z"
   */
  readonly from?: string;
  /**
   * Only conversations whose `lastMessageAt` is this moment or earlier. Before `from`, it leaves none.
   * @format date-time
   * @example "2026-11-30T23:59:59.999Z"
   */
  readonly to?: string;
}

export interface ConversationPage extends PageFields {
  /** The one with the newest message first. */
  readonly data: ConversationRecord[];
}

@Route('conversations')
@Tags('Conversations')
@Security('apiKey', ['conversations:read'])
export class ConversationsController extends RestController {
  /**
   * Lists the project's conversations, the one with the newest message first. Of several filters all must hold.
   *
   * Needs the scope `conversations:read`.
   * @summary List conversations
   */
  @Get()
  @SuccessResponse(200, 'A page of conversations')
  async listConversations(@Queries() query: ConversationListQuery): Promise<ConversationPage> {
    return (await run(this.call, conversationPageDocument, query)).conversationPage;
  }

  /**
   * Reads a conversation with its full transcript.
   *
   * Needs the scope `conversations:read`.
   * @summary Get a conversation with its transcript
   * @param conversationId The conversation.
   * @example conversationId "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  @Get('{conversationId}')
  @SuccessResponse(200, 'The conversation with all of its messages')
  async getConversation(
    @Path() conversationId: string,
    @Queries() query: ProjectQuery,
  ): Promise<Transcript> {
    const variables = { ...query, conversationId };
    return (await run(this.call, transcriptDocument, variables)).transcript;
  }
}

const conversationPageDocument = graphql<{ readonly conversationPage: ConversationPage }>(`
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

const transcriptDocument = graphql<{ readonly transcript: Transcript }>(`
  query getConversation($conversationId: ID!, $projectId: ID!) {
    transcript(conversationId: $conversationId, projectId: $projectId) {
      ${conversationFields}
      messages { ${messageFields} }
      handoff { ${handoffFields} }
    }
  }
`);
