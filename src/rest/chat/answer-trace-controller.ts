import { Get, Path, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { type AnswerTraceRecord, traceFields } from './answer-trace-record.ts';

@Route('messages')
@Tags('Conversations')
@Security('apiKey', ['analytics:read', 'conversations:read'])
export class AnswerTraceController extends RestController {
  /**
   * Reads how an answer came about: its search, its decision, and the calls of models. Returns 404 if the message does not
   * exist or has no trace: it is not an answer, the answer is still generated, or the service stores no trace of it.
   * @summary Get the trace of an answer
   * @param messageId Id of the answer.
   */
  @Get('{messageId}/trace')
  @SuccessResponse(200, 'The trace')
  async getAnswerTrace(
    @Path() messageId: string,
    @Queries() query: ProjectQuery,
  ): Promise<AnswerTraceRecord> {
    return (await executeGraphql(this.call, traceQuery, { ...query, messageId })).answerTrace;
  }
}

const traceQuery = graphql(`
  query getAnswerTrace($messageId: ID!, $projectId: ID!) {
    answerTrace(messageId: $messageId, projectId: $projectId) { ${traceFields} }
  }
`);
