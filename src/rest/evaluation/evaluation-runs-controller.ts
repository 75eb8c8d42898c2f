import {
  Body,
  Extension,
  Get,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { type PageQuery, pageFields } from '../request/pagination.ts';
import type { ProjectBody, ProjectQuery } from '../request/read-input.ts';
import { type GraphqlCall, RestController } from '../request/rest-call.ts';
import type { EvaluationComparisonRecord } from './evaluation-comparison-record.ts';
import {
  type EvaluationResultPage,
  type EvaluationResultRecord,
  type EvaluationRunPage,
  type EvaluationRunRecord,
  resultFields,
  resultRecord,
  runFields,
} from './evaluation-run-record.ts';
import type {
  EvaluationListQuery,
  MarkResultRequest,
  StartEvaluationRequest,
} from './evaluation-run-request.ts';

@Route('evaluation/runs')
@Tags('Evaluation')
export class EvaluationRunsController extends RestController<GraphqlCall> {
  /**
   * Lists the project's runs, newest first. The latest 100 of each set are kept.
   * @summary List runs
   */
  @Get()
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'A page of runs')
  async listEvaluations(@Queries() query: EvaluationListQuery): Promise<EvaluationRunPage> {
    return (await executeGraphql(this.call, listQuery, query)).evaluationRunPage;
  }

  /**
   * Starts a run of a question set, against the project as it is or with other settings. Each question uses one of the
   * plan's evaluated questions, and no message. If they are used up during the run, it fails and keeps its results. It
   * stores no conversation, and sends no webhook. One run of a set at a time.
   * @summary Start a run
   */
  @Post()
  @Security('apiKey', ['evaluation:write'])
  @Extension('x-idempotent', true)
  @SuccessResponse(202, 'The run, with status `QUEUED`')
  @Response<ErrorBody>(
    402,
    "The plan's storage or its monthly allowance of evaluated questions is used up (`QUOTA_EXCEEDED`)",
  )
  @Response<ErrorBody>(
    409,
    'Another run of the set has not finished (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  @Response<ErrorBody>(502, 'The model server does not respond (`MODEL_ERROR`)')
  async startEvaluation(@Body() body: StartEvaluationRequest): Promise<EvaluationRunRecord> {
    return (await executeGraphql(this.call, startMutation, { input: body })).startEvaluation;
  }

  /**
   * Reads one run, for example to follow its progress.
   * @summary Get a run
   */
  @Get('{runId}')
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'The run')
  async getEvaluation(
    @Path() runId: string,
    @Queries() query: ProjectQuery,
  ): Promise<EvaluationRunRecord> {
    const variables = { id: runId, projectId: query.projectId };
    return (await executeGraphql(this.call, getQuery, variables)).evaluationRun;
  }

  /**
   * Lists the results that a run has so far, in the order of the questions.
   * @summary List results
   */
  @Get('{runId}/results')
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'A page of results')
  async listEvaluationResults(
    @Path() runId: string,
    @Queries() query: PageQuery,
  ): Promise<EvaluationResultPage> {
    const variables = { ...query, id: runId };
    const { data, ...page } = (await executeGraphql(this.call, resultsQuery, variables))
      .evaluationResultPage;
    return { data: data.map(resultRecord), ...page };
  }

  /**
   * Cancels a run that has not finished. Its results are kept.
   * @summary Cancel a run
   */
  @Post('{runId}/cancel')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(200, 'The cancelled run')
  @Response<ErrorBody>(409, 'The run has finished (`CONFLICT`)')
  async cancelEvaluation(
    @Path() runId: string,
    @Body() body?: ProjectBody,
  ): Promise<EvaluationRunRecord> {
    const input = { ...body, id: runId };
    return (await executeGraphql(this.call, cancelMutation, { input })).cancelEvaluation;
  }

  /**
   * Stores what a person thinks of an answer of a run. `agreement` of the run then shows how far the verdicts of the
   * language model agree with the marks.
   * @summary Mark an answer
   */
  @Put('{runId}/results/{questionId}/mark')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(200, 'The marked result')
  @Response<ErrorBody>(409, 'The question has no answer (`CONFLICT`)')
  async markEvaluationResult(
    @Path() runId: string,
    @Path() questionId: string,
    @Body() body: MarkResultRequest,
  ): Promise<EvaluationResultRecord> {
    const input = { ...body, runId, questionId };
    const { markEvaluationResult } = await executeGraphql(this.call, markMutation, { input });
    return resultRecord(markEvaluationResult);
  }

  /**
   * Compares a run with another run of the same project, over the questions that both have answered. A question is
   * the same if its text is the same.
   * @summary Compare two runs
   * @param runId Run to compare with, for example before a change. It becomes `before`.
   * @param otherRunId Run to judge, for example after the change. It becomes `after`.
   * @example otherRunId "01980a42-5f1e-7a0b-9c2d-3e4f5a6b7c8d"
   */
  @Get('{runId}/compare/{otherRunId}')
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'The comparison')
  @Response<ErrorBody>(409, 'A run is not done (`CONFLICT`)')
  async compareEvaluations(
    @Path() runId: string,
    @Path() otherRunId: string,
    @Queries() query: ProjectQuery,
  ): Promise<EvaluationComparisonRecord> {
    const variables = { id: runId, otherId: otherRunId, projectId: query.projectId };
    const { changed, ...comparison } = (await executeGraphql(this.call, compareQuery, variables))
      .compareEvaluations;
    return {
      ...comparison,
      changed: changed.map((question) => ({
        ...question,
        before: resultRecord(question.before),
        after: resultRecord(question.after),
      })),
    };
  }
}

const listQuery = graphql(`
  query listEvaluations($projectId: ID!, $setId: ID, $page: Int, $limit: Int) {
    evaluationRunPage(projectId: $projectId, setId: $setId, page: $page, limit: $limit) {
      data { ${runFields} } ${pageFields}
    }
  }
`);

const startMutation = graphql(`
  mutation startEvaluation($input: StartEvaluationInput!) {
    startEvaluation(input: $input) { ${runFields} }
  }
`);

const getQuery = graphql(`
  query getEvaluation($id: ID!, $projectId: ID!) {
    evaluationRun(id: $id, projectId: $projectId) { ${runFields} }
  }
`);

const resultsQuery = graphql(`
  query listEvaluationResults($id: ID!, $projectId: ID!, $page: Int, $limit: Int) {
    evaluationResultPage(id: $id, projectId: $projectId, page: $page, limit: $limit) {
      data { ${resultFields} } ${pageFields}
    }
  }
`);

const cancelMutation = graphql(`
  mutation cancelEvaluation($input: CancelEvaluationInput!) {
    cancelEvaluation(input: $input) { ${runFields} }
  }
`);

const markMutation = graphql(`
  mutation markEvaluationResult($input: MarkEvaluationResultInput!) {
    markEvaluationResult(input: $input) { ${resultFields} }
  }
`);

const compareQuery = graphql(`
  query compareEvaluations($id: ID!, $otherId: ID!, $projectId: ID!) {
    compareEvaluations(id: $id, otherId: $otherId, projectId: $projectId) {
      before { ${runFields} }
      after { ${runFields} }
      figures { figure n before after low high verdict }
      changedCount
      changed { questionId question isBetter before { ${resultFields} } after { ${resultFields} } }
    }
  }
`);
