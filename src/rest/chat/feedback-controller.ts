import { Body, Path, Put, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectBody } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';

export interface FeedbackRequest extends ProjectBody {
  /**
   * `UP`: the answer helped. `DOWN`: it did not.
   * @example "DOWN"
   */
  readonly rating: 'UP' | 'DOWN';
  /**
   * The end user's comment on the answer. A blank comment counts as no comment.
   * @maxLength 2000
   * @example "I asked about refunds, not about returns."
   */
  readonly comment?: string;
}

export interface FeedbackRecord {
  /**
   * Id of the rated answer.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly messageId: string;
  /**
   * `UP`: the answer helped. `DOWN`: it did not.
   * @example "DOWN"
   */
  readonly rating: 'UP' | 'DOWN';
  /**
   * The end user's comment on the answer, or null.
   * @maxLength 2000
   * @example "I asked about refunds, not about returns."
   */
  readonly comment: string | null;
  /**
   * Time of the first rating.
   * @format date-time
   * @example "2026-11-21T09:31:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time of this rating.
   * @format date-time
   * @example "2026-11-21T09:31:00.000Z"
   */
  readonly updatedAt: string;
}

@Route('messages')
@Tags('Conversations')
@Security('apiKey', ['chat'])
export class FeedbackController extends RestController {
  /**
   * Rates an answer of the assistant. Replaces an earlier rating and its comment. Answers rated `DOWN` are listed among
   * the unanswered questions. Returns 404 if the message does not exist or is not from the assistant.
   * @summary Rate an answer
   * @param messageId Id of the answer.
   */
  @Put('{messageId}/feedback')
  @SuccessResponse(200, 'The rating')
  async giveFeedback(
    @Path() messageId: string,
    @Body() body: FeedbackRequest,
  ): Promise<FeedbackRecord> {
    const input = { ...body, messageId };
    return (await executeGraphql(this.call, giveFeedbackMutation, { input })).giveFeedback;
  }
}

const giveFeedbackMutation = graphql(`
  mutation giveFeedback($input: GiveFeedbackInput!) {
    giveFeedback(input: $input) { messageId rating comment createdAt updatedAt }
  }
`);
