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
   * The end user's comment. A blank comment counts as no comment.
   * @maxLength 2000
   * @example "Solved in five minutes."
   */
  readonly comment?: string;
}

export interface SatisfactionRecord extends HandoffSatisfaction {
  readonly handoffId: string;
}

@Route('handoffs')
@Tags('Handoff')
@Security('apiKey', ['chat'])
export class SatisfactionController extends RestController {
  /**
   * Stores how satisfied the end user was with the agent who resolved a handoff. Use it if you build your own chat. A
   * further call within 24 hours replaces the rating and its comment. Then the rating is final.
   *
   * The `satisfaction` of a handoff shows whether the end user was asked, and until when the rating is accepted. Later
   * messages and handoffs of the conversation do not change this.
   * @summary Rate the agent of a handoff
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
