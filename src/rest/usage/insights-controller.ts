import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { type PageFields, type PageQuery, pageFields } from '../request/pagination.ts';
import { RestController } from '../request/rest-call.ts';

export interface UnansweredQuestionsQuery extends PageQuery {
  /**
   * Only questions asked at or after this time. Either ISO 8601 with `Z` or an offset, or a date, which means 00:00
   * UTC. In a URL, write `+` as `%2B`. Default: 30 days ago.
   * @example "2026-11-01T00:00:00Z"
   */
  readonly since?: string;
  /**
   * Only questions with this status. Default: `OPEN`.
   * @example "OPEN"
   */
  readonly status?: 'OPEN' | 'DONE' | 'DISMISSED';
}

export interface UnansweredQuestion {
  /** Id of a message with the question. */
  readonly questionId: string;
  /**
   * @maxLength 4000
   * @example "Do you deliver to Norway?"
   */
  readonly question: string;
  /**
   * @isInt
   * @minimum 1
   * @example 12
   */
  readonly count: number;
  /** How often the question was asked in the period before `since`. That period has the same length. */
  readonly previousCount: number;
  readonly badFeedbackCount: number;
  /** Time of the latest question. */
  readonly lastAskedAt: string;
  /**
   * `DONE`: the team marked the question as done, or a later answer to it was good. `DISMISSED`: the team does not want
   * to answer it. Otherwise `OPEN`.
   * @example "OPEN"
   */
  readonly status: 'OPEN' | 'DONE' | 'DISMISSED';
  /** Id of the document that the team has written for the question, or null. */
  readonly documentId: string | null;
  /** @example ["01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"] */
  readonly conversationIds: string[];
}

export interface UnansweredQuestionPage extends PageFields {
  /** The questions, most frequent first. */
  readonly data: UnansweredQuestion[];
}

@Route('insights')
@Tags('Insights')
@Security('apiKey', ['conversations:read'])
export class InsightsController extends RestController {
  /**
   * Lists the questions that the documents did not answer well: the answer had a low confidence or was rated `DOWN`.
   * Questions with the same meaning are one entry. The most frequent questions come first. Covers the latest 500
   * questions. Small talk and conversations in the playground are omitted. The team decides about questions in the
   * dashboard.
   * @summary List unanswered questions
   */
  @Get('unanswered')
  @SuccessResponse(200, 'A page of questions')
  async listUnansweredQuestions(
    @Queries() query: UnansweredQuestionsQuery,
  ): Promise<UnansweredQuestionPage> {
    return (await executeGraphql(this.call, unansweredQuery, query)).unansweredQuestionPage;
  }
}

const unansweredQuery = graphql(`
  query listUnansweredQuestions($projectId: ID!, $page: Int, $limit: Int, $since: DateTime, $status: QuestionStatus) {
    unansweredQuestionPage(projectId: $projectId, page: $page, limit: $limit, since: $since, status: $status) {
      data { question count badFeedbackCount lastAskedAt conversationIds questionId previousCount status documentId } ${pageFields}
    }
  }
`);
