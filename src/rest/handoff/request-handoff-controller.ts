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
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectBody } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { sendAndStoreJson } from '../request/serve-operation.ts';

export interface HandoffRequest extends ProjectBody {
  /**
   * The conversation to hand over to an agent.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * E-mail address of the end user, within the limits of RFC 5321: at most 64 characters before the `@`.
   * @maxLength 254
   * @pattern ^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$
   * @extension {"x-pattern-message": "must be an e-mail address"}
   * @example "ada@example.com"
   */
  readonly email?: string;
  /**
   * The end user's name.
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Ada Lovelace"
   */
  readonly name?: string;
  /**
   * Reason for the request. The team sees it.
   * @maxLength 2000
   * @example "The refund has not arrived after two weeks."
   */
  readonly reason?: string;
}

export interface HandoffResponse {
  /**
   * Id of the handoff, also used in webhook events.
   * @format uuid
   * @example "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  readonly handoffId: string;
  /**
   * Id of the conversation.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * Status of the conversation: `HANDOFF_REQUESTED` until an agent claims the handoff, then `HUMAN`. A new handoff is
   * always `HANDOFF_REQUESTED`.
   * @example "HANDOFF_REQUESTED"
   */
  readonly status: 'HANDOFF_REQUESTED' | 'HUMAN';
  /**
   * Time when the handoff was requested.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly requestedAt: string;
}

@Route('handoff')
@Tags('Handoff')
@Security('apiKey', ['chat'])
export class HandoffController extends RestController {
  /**
   * Asks the team to take over a conversation. Adds the conversation to the inbox and triggers the webhook event
   * `human.requested`. The assistant continues to answer until an agent claims the conversation.
   *
   * A conversation has one open handoff at a time. A further request before the handoff is resolved returns 200 with
   * the open handoff. Its contact details and reason do not change, and no second event is sent.
   * @summary Request a human
   */
  @Post()
  @Extension('x-idempotent', true)
  @SuccessResponse(201, 'A handoff was opened')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<HandoffResponse>(200, 'The handoff that is already open')
  async requestHandoff(@Body() body: HandoffRequest): Promise<HandoffResponse | undefined> {
    const { requestHandoff } = await executeGraphql(this.call, requestHandoffMutation, {
      input: body,
    });
    const { isNew, requestedAt, ...handoff } = requestHandoff;
    const answer = { ...handoff, status: conversationStatus[handoff.status], requestedAt };
    if (isNew) return answer;
    await sendAndStoreJson(this.call, 200, answer);
    return undefined;
  }
}

/** Status of the conversation by the status of its open handoff. */
const conversationStatus = {
  REQUESTED: 'HANDOFF_REQUESTED',
  CLAIMED: 'HUMAN',
  // Occurs only if the process died after it opened the handoff, and the handoff was resolved before the client
  // retried.
  RESOLVED: 'HANDOFF_REQUESTED',
} as const;

const requestHandoffMutation = graphql(`
  mutation requestHandoff($input: RequestHandoffInput!) {
    requestHandoff(input: $input) { handoffId: id conversationId status requestedAt isNew }
  }
`);
