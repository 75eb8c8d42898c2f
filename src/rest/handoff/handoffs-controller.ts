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
import { pageFields } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import {
  type ActingAgent,
  type HandoffListQuery,
  type HandoffPage,
  type HandoffRecord,
  handoffRecordFields,
  type ReleaseRequest,
  type TransferRequest,
} from './handoff-record.ts';

@Route('handoffs')
@Tags('Handoff')
export class HandoffsController extends RestController {
  /**
   * Lists the project's handoffs, latest request first. A handoff must match all filters.
   * @summary List handoffs
   */
  @Get()
  @Security('apiKey', ['conversations:read'])
  @SuccessResponse(200, 'A page of handoffs')
  async listHandoffs(@Queries() query: HandoffListQuery): Promise<HandoffPage> {
    return (await executeGraphql(this.call, listHandoffsQuery, query)).handoffPage;
  }

  /**
   * Claims a handoff: the conversation becomes `HUMAN`, and the assistant stops answering in it. The owner is the member
   * in `agent`, or the API key itself as `key:` and its name. A handoff that the same owner has already claimed is
   * returned unchanged.
   * @summary Claim a handoff
   */
  @Post('{handoffId}/claim')
  @Security('apiKey', ['handoff:write'])
  @SuccessResponse(200, 'The claimed handoff')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'Another agent has claimed the handoff, it is resolved, or the role of the member cannot take handoffs (`CONFLICT`)',
  )
  async claimHandoff(
    @Path() handoffId: string,
    @Body() body?: ActingAgent,
  ): Promise<HandoffRecord> {
    const input = { ...body, handoffId };
    return (await executeGraphql(this.call, claimHandoffMutation, { input })).claimHandoff;
  }

  /**
   * Transfers a claimed handoff to another member, or assigns a requested handoff to a member. If this member already
   * owns the handoff, it is returned unchanged.
   * @summary Transfer a handoff
   */
  @Post('{handoffId}/transfer')
  @Security('apiKey', ['handoff:write'])
  @SuccessResponse(200, 'The handoff with its new owner')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'The handoff is resolved, the role of the member cannot take handoffs, or the conversation has 200 notes (`CONFLICT`)',
  )
  async transferHandoff(
    @Path() handoffId: string,
    @Body() body: TransferRequest,
  ): Promise<HandoffRecord> {
    const input = { ...body, handoffId };
    return (await executeGraphql(this.call, transferHandoffMutation, { input })).transferHandoff;
  }

  /**
   * Returns a claimed handoff to the waiting handoffs, at its old position. The conversation becomes
   * `HANDOFF_REQUESTED`, and the assistant answers in the meantime. Only the owner may do this. A handoff that is
   * already waiting is returned unchanged.
   * @summary Put a handoff back
   */
  @Post('{handoffId}/release')
  @Security('apiKey', ['handoff:write'])
  @SuccessResponse(200, 'The handoff, with status `REQUESTED`')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'Another agent has claimed the handoff, it is resolved, the role of the member cannot take handoffs, or the conversation has 200 notes (`CONFLICT`)',
  )
  async releaseHandoff(
    @Path() handoffId: string,
    @Body() body?: ReleaseRequest,
  ): Promise<HandoffRecord> {
    const input = { ...body, handoffId };
    return (await executeGraphql(this.call, releaseHandoffMutation, { input })).releaseHandoff;
  }

  /**
   * Resolves a handoff and its conversation. The end user's next message reopens the conversation for the assistant. A
   * resolved handoff is returned unchanged.
   * @summary Resolve a handoff
   */
  @Post('{handoffId}/resolve')
  @Security('apiKey', ['handoff:write'])
  @SuccessResponse(200, 'The resolved handoff')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async resolveHandoff(
    @Path() handoffId: string,
    @Body() body?: ProjectBody,
  ): Promise<HandoffRecord> {
    const input = { ...body, handoffId };
    return (await executeGraphql(this.call, resolveHandoffMutation, { input })).resolveHandoff;
  }

  /**
   * Resolves a handoff and keeps its conversation open: the assistant answers the next message. A resolved handoff is
   * returned unchanged.
   * @summary Return a conversation to the assistant
   */
  @Post('{handoffId}/return')
  @Security('apiKey', ['handoff:write'])
  @SuccessResponse(200, 'The resolved handoff')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async returnToAssistant(
    @Path() handoffId: string,
    @Body() body?: ProjectBody,
  ): Promise<HandoffRecord> {
    const input = { ...body, handoffId };
    return (await executeGraphql(this.call, returnMutation, { input })).returnToAssistant;
  }
}

const listHandoffsQuery = graphql(`
  query listHandoffs(
    $projectId: ID!, $page: Int, $limit: Int, $status: HandoffStatus, $claimedBy: String, $search: String
  ) {
    handoffPage(
      projectId: $projectId, page: $page, limit: $limit, status: $status, claimedBy: $claimedBy, search: $search
    ) {
      data { ${handoffRecordFields} } ${pageFields}
    }
  }
`);

const claimHandoffMutation = graphql(`
  mutation claimHandoff($input: ClaimHandoffInput!) {
    claimHandoff(input: $input) { ${handoffRecordFields} }
  }
`);

const transferHandoffMutation = graphql(`
  mutation transferHandoff($input: TransferHandoffInput!) {
    transferHandoff(input: $input) { ${handoffRecordFields} }
  }
`);

const releaseHandoffMutation = graphql(`
  mutation releaseHandoff($input: ReleaseHandoffInput!) {
    releaseHandoff(input: $input) { ${handoffRecordFields} }
  }
`);

const resolveHandoffMutation = graphql(`
  mutation resolveHandoff($input: ResolveHandoffInput!) {
    resolveHandoff(input: $input) { ${handoffRecordFields} }
  }
`);

const returnMutation = graphql(`
  mutation returnToAssistant($input: ReturnToAssistantInput!) {
    returnToAssistant(input: $input) { ${handoffRecordFields} }
  }
`);
