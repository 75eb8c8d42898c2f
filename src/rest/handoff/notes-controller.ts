import {
  Body,
  Get,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import type { ActingAgent } from './handoff-record.ts';

export interface NoteRequest extends ActingAgent {
  /**
   * Text of the note.
   * @minLength 1
   * @maxLength 5000
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Asked for a refund twice. Please check the invoice."
   */
  readonly content: string;
  /**
   * UUIDv7 for the new note. A repeated request with the same id does not add the note twice.
   * @format uuid
   * @pattern ^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-7[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$
   * @extension {"x-pattern-message": "must be a UUIDv7"}
   * @example "01980a3e-5c21-7b11-8f3a-2a6d9c4e7b10"
   */
  readonly noteId?: string;
}

export interface ConversationNote {
  readonly id: string;
  readonly conversationId: string;
  /**
   * @maxLength 254
   * @example "grace@example.com"
   */
  readonly author: string;
  /**
   * Text of the note.
   * @minLength 1
   * @maxLength 5000
   * @example "Asked for a refund twice. Please check the invoice."
   */
  readonly content: string;
  readonly createdAt: string;
}

export interface ConversationNotes {
  /**
   * The notes, oldest first.
   * @maxItems 200
   */
  readonly data: ConversationNote[];
}

@Route('conversations')
@Tags('Handoff')
@Security('apiKey', ['handoff:write'])
export class NotesController extends RestController {
  /**
   * Lists all internal notes of the team on a conversation, oldest first. Transcripts do not contain internal notes. Do
   * not show internal notes to end users.
   * @summary List internal notes
   */
  @Get('{conversationId}/notes')
  @SuccessResponse(200, 'The notes')
  async listConversationNotes(
    @Path() conversationId: string,
    @Queries() query: ProjectQuery,
  ): Promise<ConversationNotes> {
    const variables = { ...query, conversationId };
    return { data: (await executeGraphql(this.call, listQuery, variables)).conversationNotes };
  }

  /**
   * Adds an internal note to a conversation, even if somebody else owns the conversation. End users, models and
   * webhooks never receive internal notes. The author is the member in `agent`, or the API key itself as `key:` and its
   * name.
   * @summary Add an internal note
   */
  @Post('{conversationId}/notes')
  @SuccessResponse(201, 'The note')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'The conversation has 200 notes, `noteId` is the id of another note, or the role of the member cannot take handoffs (`CONFLICT`)',
  )
  async addConversationNote(
    @Path() conversationId: string,
    @Body() body: NoteRequest,
  ): Promise<ConversationNote> {
    const input = { ...body, conversationId };
    return (await executeGraphql(this.call, addMutation, { input })).addConversationNote;
  }
}

const noteFields = 'id conversationId author content createdAt';

const listQuery = graphql(`
  query listConversationNotes($conversationId: ID!, $projectId: ID) {
    conversationNotes(conversationId: $conversationId, projectId: $projectId) { ${noteFields} }
  }
`);

const addMutation = graphql(`
  mutation addConversationNote($input: AddConversationNoteInput!) {
    addConversationNote(input: $input) { ${noteFields} }
  }
`);
