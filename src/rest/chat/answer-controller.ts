import {
  Body,
  Get,
  Path,
  Post,
  Queries,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { sendEvents } from '../../http/send-events.ts';
import { messageFields, type TranscriptMessage } from '../conversations/transcript.ts';
import { executeGraphql, graphql, subscribeGraphql } from '../graphql/execute-graphql.ts';
import type { ProjectBody, ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { chatEventFields, readChatDelta, type StreamedEvent, toSseEvent } from './chat-response.ts';

export interface ResumeQuery extends ProjectQuery {
  /**
   * The `seq` of the last event that you received. The stream continues with the next event. If omitted, the stream
   * starts with the first event.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 12
   */
  readonly after?: number;
}

@Route('chat')
@Tags('Chat')
@Security('apiKey', ['chat'])
export class AnswerController extends RestController {
  /**
   * Resumes the stream of an answer that was requested with `resumable: true`. The stream starts with the missed
   * events, which have the same `seq` and content as before. New events follow. Any number of clients can resume the
   * stream, any number of times, until ten minutes after the answer ended.
   *
   * The stream ends with `done` or with `error`, like the first stream. A stream that ends without `done` or `error`
   * was interrupted and can be resumed again. The stream is empty if the answer has ended and `after` is its last
   * event.
   *
   * Returns 404 if the answer does not exist, was not requested as resumable, or ended more than ten minutes ago. Also
   * returns 404 if an agent owned the conversation.
   * @summary Resume the stream of an answer
   * @param messageId The `messageId` of the `meta` event.
   */
  @Get('{messageId}/stream')
  @SuccessResponse(200, 'The stream', 'text/event-stream')
  async resumeAnswer(
    @Path() messageId: string,
    @Queries() query: ResumeQuery,
  ): Promise<StreamedEvent | undefined> {
    const input = { ...query, messageId };
    const document = resumeAnswerSubscription;
    const events = await subscribeGraphql(this.call, document, { input }, (event) => {
      const resumeAnswer = readChatDelta(event);
      return resumeAnswer && { resumeAnswer };
    });
    await sendEvents(this.call, events, ({ resumeAnswer }) => toSseEvent(resumeAnswer), {
      after: query.after ?? -1,
    });
    return undefined;
  }

  /**
   * Stops an answer that is being generated, resumable or not, streamed or not. The partial answer is stored with the
   * status `STOPPED` and counts as a message of the plan. Clients that wait for the answer receive the partial answer
   * in the `done` event or as the response. An answer that has already ended does not change, so the call can be
   * repeated safely.
   *
   * The response is sent when the answer is stored, or after ten seconds. After ten seconds, the status may still be
   * `GENERATING`.
   *
   * Returns 404 if the message does not exist or is not from the assistant.
   * @summary Stop an answer
   * @param messageId The assistant's message: the `messageId` of the `meta` event.
   */
  @Post('{messageId}/stop')
  @SuccessResponse(200, 'The answer as stored in the transcript')
  async stopAnswer(
    @Path() messageId: string,
    @Body() body?: ProjectBody,
  ): Promise<TranscriptMessage> {
    const input = { ...body, messageId };
    return (await executeGraphql(this.call, stopAnswerMutation, { input })).stopAnswer;
  }
}

const resumeAnswerSubscription = graphql(`
  subscription resumeAnswer($input: ResumeAnswerInput!) { resumeAnswer(input: $input) { ${chatEventFields} } }
`);

const stopAnswerMutation = graphql(`
  mutation stopAnswer($input: StopAnswerInput!) {
    stopAnswer(input: $input) { ${messageFields} }
  }
`);
