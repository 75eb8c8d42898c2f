import { Body, Path, Put, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { type HandoffSatisfaction, satisfactionFields } from '../conversations/transcript.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectBody } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';

export interface SatisfactionRequest extends ProjectBody {
  /**
   * 1 (very dissatisfied) to 5 (very satisfied).
   * @isInt
   * @minimum 1
   * @maximum 5
   * @example 5
   */
  readonly rating: number;
  /**
   * What the end user adds. A blank comment counts as none.
   * @maxLength 2000
   * @example "Solved in five minutes."
   */
  readonly comment?: string;
}

export interface SatisfactionRecord extends HandoffSatisfaction {
  /**
   * Id of the handoff.
   * @format uuid
   * @example "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  readonly handoffId: string;
}

@Route('handoffs')
@Tags('Handoff')
@Security('apiKey', ['chat'])
export class SatisfactionController extends RestController {
  /**
   * Stores how satisfied the end user was with the agent who resolved a handoff, for chats of your own. Replaces an
   * earlier rating with its comment, for 24 hours. Then the rating is final.
   *
   * The `satisfaction` of a handoff says whether the end user was asked, and until when the rating is accepted. It is
   * independent of later messages and handoffs of the conversation.
   *
   * Needs the scope `chat`.
   * @summary Rate the agent of a handoff
   * @param handoffId Id of the handoff.
   * @example handoffId "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  @Put('{handoffId}/satisfaction')
  @SuccessResponse(200, 'The rating')
  @Response<ErrorBody>(
    409,
    'The end user was not asked, the project no longer asks, or the time for the rating or its change is over (`CONFLICT`)',
  )
  async rateHandoff(
    @Path() handoffId: string,
    @Body() body: SatisfactionRequest,
  ): Promise<SatisfactionRecord> {
    const input = { ...body, handoffId };
    return (await executeGraphql(this.call, rateHandoffMutation, { input })).rateHandoff;
  }
}

const rateHandoffMutation = graphql(`
  mutation rateHandoff($input: RateHandoffInput!) {
    rateHandoff(input: $input) { handoffId ${satisfactionFields} }
  }
`);
