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
import { RestController } from './call.ts';
import { graphql, run } from './execute.ts';
import type { ProjectBody } from './project-rule.ts';
import { answerJson } from './send-json.ts';

export interface HandoffRequest extends ProjectBody {
  /**
   * The conversation to hand to a person.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * Where the end user can be reached: an address as RFC 5321 bounds it, with at most 64 characters before the `@`.
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
   * Why a person is needed, for the team to read.
   * @maxLength 2000
   * @example "The refund has not arrived after two weeks."
   */
  readonly reason?: string;
}

export interface HandoffResponse {
  /**
   * Identifies the handoff; the same as in webhook events.
   * @format uuid
   * @example "01980a3d-0b11-7c42-8d55-6e7f80912a3b"
   */
  readonly handoffId: string;
  /**
   * The conversation that is handed over.
   * @format uuid
   * @example "01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly conversationId: string;
  /**
   * The state of the conversation: `HANDOFF_REQUESTED` until a person has taken it, which a new handoff always
   * is, then `HUMAN`.
   * @example "HANDOFF_REQUESTED"
   */
  readonly status: 'HANDOFF_REQUESTED' | 'HUMAN';
  /**
   * When the handoff was opened.
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
   * Asks the team to take over a conversation: puts it into the inbox and triggers the webhook event
   * `human.requested`. The assistant goes on answering until a person has taken it.
   *
   * A conversation has one open handoff at a time. Asked again before that is resolved, the answer is 200 with
   * the open one: it keeps its contact details and reason, and nobody is told again.
   *
   * Needs the scope `chat`.
   * @summary Request a human
   */
  @Post()
  @Extension('x-idempotent', true)
  @SuccessResponse(201, 'A handoff was opened')
  @Response<HandoffResponse>(200, 'The handoff that was open already')
  async requestHandoff(@Body() body: HandoffRequest): Promise<HandoffResponse | undefined> {
    const { requestHandoff } = await run(this.call, requestHandoffDocument, { input: body });
    const { isNew, requestedAt, ...handoff } = requestHandoff;
    const answer = { ...handoff, status: conversationStatus[handoff.status], requestedAt };
    if (isNew) return answer;
    await answerJson(this.call, 200, answer);
    return undefined;
  }
}

/** What an open handoff makes of its conversation. */
const conversationStatus = { REQUESTED: 'HANDOFF_REQUESTED', CLAIMED: 'HUMAN' } as const;

const requestHandoffDocument = graphql<{
  readonly requestHandoff: Omit<HandoffResponse, 'status'> & {
    readonly status: keyof typeof conversationStatus;
    readonly isNew: boolean;
  };
}>(`
  mutation requestHandoff($input: RequestHandoffInput!) {
    requestHandoff(input: $input) { handoffId: id conversationId status requestedAt isNew }
  }
`);
