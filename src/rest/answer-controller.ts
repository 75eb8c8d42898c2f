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
import { RestController } from './call.ts';
import { type ChatEvent, eventFields, frameOf, type StreamedEvent } from './chat-answer.ts';
import { graphql, run, watch } from './execute.ts';
import type { ProjectBody, ProjectQuery } from './project-rule.ts';
import { sendEvents } from './sse.ts';
import { messageFields, type TranscriptMessage } from './transcript.ts';

export interface ResumeQuery extends ProjectQuery {
  /**
   * The `seq` of the last event that was received: the stream goes on behind it. Left out, it begins with its first
   * event.
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
   * Goes on with the stream of an answer that was asked for with `resumable: true`: first the events that were
   * missed, with the same `seq` and content as before, then those to come. As often as needed, by any number of readers
   * at once, until ten minutes after its end.
   *
   * The stream ends with `done` or with `error`, as the first one does. One that ends without either was cut off and
   * can be resumed again. It is empty where `after` names the last event of an answer that has ended.
   *
   * 404 where there is no such answer, it was not asked for as resumable, it ended more than ten minutes ago, or a
   * person had the conversation.
   *
   * Needs the scope `chat`.
   * @summary Resume the stream of an answer
   * @param messageId The `messageId` of the `meta` event.
   * @example messageId "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  @Get('{messageId}/stream')
  @SuccessResponse(200, 'The stream', 'text/event-stream')
  async resumeAnswer(
    @Path() messageId: string,
    @Queries() query: ResumeQuery,
  ): Promise<StreamedEvent | undefined> {
    const input = { ...query, messageId };
    const events = await watch(this.call, resumeAnswerDocument, { input });
    await sendEvents(this.call, events, ({ resumeAnswer }) => frameOf(resumeAnswer), {
      after: query.after ?? -1,
    });
    return undefined;
  }

  /**
   * Ends an answer that is being generated, resumable or not, streamed or not. What there is of it stays: it is stored
   * with the status `STOPPED`, counts as a message of the plan, and everybody who waits for the answer gets it as
   * `done` or as the response. An answer that has ended already is left as it is, so that it is safe to ask again.
   *
   * The response comes once the answer is stored. Where that takes more than ten seconds it shows the answer as it is
   * until then, which may be `GENERATING`.
   *
   * 404 where there is no such message, or it is not one of the assistant.
   *
   * Needs the scope `chat`.
   * @summary Stop an answer
   * @param messageId The assistant's message: the `messageId` of the `meta` event.
   * @example messageId "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  @Post('{messageId}/stop')
  @SuccessResponse(200, 'The answer as it stands in the transcript')
  async stopAnswer(
    @Path() messageId: string,
    @Body() body?: ProjectBody,
  ): Promise<TranscriptMessage> {
    const input = { ...body, messageId };
    return (await run(this.call, stopAnswerDocument, { input })).stopAnswer;
  }
}

const resumeAnswerDocument = graphql<{ readonly resumeAnswer: ChatEvent }>(`
  subscription resumeAnswer($input: ResumeAnswerInput!) { resumeAnswer(input: $input) { ${eventFields} } }
`);

const stopAnswerDocument = graphql<{ readonly stopAnswer: TranscriptMessage }>(`
  mutation stopAnswer($input: StopAnswerInput!) {
    stopAnswer(input: $input) { ${messageFields} }
  }
`);
