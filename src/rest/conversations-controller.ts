import { Get, Path, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { RestController } from './call.ts';
import { type Citation, citationFields } from './chat-answer.ts';
import { graphql, run } from './execute.ts';
import type { ProjectQuery } from './knowledge-controller.ts';

export interface ConversationListQuery extends ProjectQuery {
  /**
   * The page, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @default 1
   */
  readonly page?: number;
  /**
   * Conversations per page.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @default 20
   */
  readonly limit?: number;
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

export interface ConversationRecord {
  /**
   * Identifies the conversation.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly id: string;
  /**
   * The project it belongs to.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * `OPEN` while the assistant alone answers, `HANDOFF_REQUESTED` while it waits for a person, `HUMAN` while a
   * person has it, then `RESOLVED`. A new message of the end user opens a resolved one again.
   * @example "OPEN"
   */
  readonly status: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /**
   * Your identifier for the end user, or null where none was given.
   * @minLength 1
   * @maxLength 128
   * @example "customer-4711"
   */
  readonly endUserId: string | null;
  /**
   * The beginning of the first message.
   * @maxLength 80
   * @example "How long can I send an item back?"
   */
  readonly title: string;
  /**
   * Messages of all sides, answers that are still generated included.
   * @isInt
   * @minimum 0
   * @example 2
   */
  readonly messageCount: number;
  /**
   * When the last message came in; an answer counts with its question.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly lastMessageAt: string;
  /**
   * When the conversation began.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * When anything of this record last changed.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly updatedAt: string;
}

export interface ConversationPage {
  /** The one with the newest message first. */
  readonly data: ConversationRecord[];
  /**
   * The page this is, counted from 1.
   * @isInt
   * @minimum 1
   * @maximum 1000000
   * @example 1
   */
  readonly page: number;
  /**
   * The most conversations a page has.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @example 20
   */
  readonly limit: number;
  /**
   * How many there are on all pages.
   * @isInt
   * @minimum 0
   * @example 42
   */
  readonly total: number;
  /**
   * How many pages there are.
   * @isInt
   * @minimum 0
   * @example 3
   */
  readonly totalPages: number;
  /**
   * Whether a further page follows this one.
   * @example true
   */
  readonly hasMore: boolean;
}

export interface Transcript extends ConversationRecord {
  /** All messages, oldest first. */
  readonly messages: TranscriptMessage[];
  /** The latest time a person was asked for, or null. */
  readonly handoff: TranscriptHandoff | null;
}

export interface TranscriptMessage {
  /**
   * Identifies the message.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly id: string;
  /**
   * The end `USER`, the `ASSISTANT`, an `AGENT` of your team, or the `SYSTEM`, which is this service.
   * @example "ASSISTANT"
   */
  readonly role: 'USER' | 'ASSISTANT' | 'AGENT' | 'SYSTEM';
  /**
   * The text; empty while an answer is `GENERATING`.
   * @example "You have 30 days to send an item back [1]."
   */
  readonly content: string;
  /** The chunks an answer is grounded in, best first. */
  readonly citations: Citation[];
  /**
   * Of an answer: calibrated probability that the project's documents support it. Otherwise null.
   * @minimum 0
   * @maximum 1
   * @example 0.93
   */
  readonly confidence: number | null;
  /**
   * Of an answer: time taken, in milliseconds. Otherwise null.
   * @isInt
   * @minimum 0
   * @example 840
   */
  readonly latencyMs: number | null;
  /**
   * An answer is `GENERATING`, then `COMPLETED`, `STOPPED` by its reader, or `FAILED`. What others say is
   * `COMPLETED`.
   * @example "COMPLETED"
   */
  readonly status: 'GENERATING' | 'COMPLETED' | 'STOPPED' | 'FAILED';
  /**
   * When it was sent; of an answer, when its question was.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
}

export interface TranscriptHandoff {
  /**
   * Identifies the handoff.
   * @format uuid
   * @example "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  readonly id: string;
  /**
   * `REQUESTED` until somebody of the team takes it, then `CLAIMED`, and `RESOLVED` at the end.
   * @example "REQUESTED"
   */
  readonly status: 'REQUESTED' | 'CLAIMED' | 'RESOLVED';
  /**
   * Where the end user can be reached, or null.
   * @maxLength 254
   * @example "ada@example.com"
   */
  readonly email: string | null;
  /**
   * The end user's name, or null.
   * @maxLength 200
   * @example "Ada Lovelace"
   */
  readonly name: string | null;
  /**
   * Why a person is needed, or null.
   * @maxLength 2000
   * @example "The refund has not arrived after two weeks."
   */
  readonly reason: string | null;
  /**
   * When a person was asked for.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly requestedAt: string;
  /**
   * When somebody took it, or null.
   * @format date-time
   * @example "2026-11-21T09:34:12.000Z"
   */
  readonly claimedAt: string | null;
  /**
   * When it was done with, or null.
   * @format date-time
   * @example "2026-11-21T09:51:40.000Z"
   */
  readonly resolvedAt: string | null;
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

const conversationFields = `id projectId status endUserId title messageCount lastMessageAt createdAt
  updatedAt`;

const conversationPageDocument = graphql<{ readonly conversationPage: ConversationPage }>(`
  query listConversations(
    $projectId: ID!, $page: Int, $limit: Int, $status: ConversationStatus, $endUserId: String,
    $search: String, $from: DateTime, $to: DateTime
  ) {
    conversationPage(
      projectId: $projectId, page: $page, limit: $limit, status: $status, endUserId: $endUserId,
      search: $search, from: $from, to: $to
    ) {
      data { ${conversationFields} } page limit total totalPages hasMore
    }
  }
`);

const transcriptDocument = graphql<{ readonly transcript: Transcript }>(`
  query getConversation($conversationId: ID!, $projectId: ID!) {
    transcript(conversationId: $conversationId, projectId: $projectId) {
      ${conversationFields}
      messages {
        id role content citations { ${citationFields} } confidence latencyMs status createdAt
      }
      handoff { id status email name reason requestedAt claimedAt resolvedAt }
    }
  }
`);
