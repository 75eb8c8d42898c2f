import {
  Body,
  Delete,
  Extension,
  Get,
  Patch,
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
import type { ProjectQuery } from '../request/read-input.ts';
import { type GraphqlCall, RestController } from '../request/rest-call.ts';
import {
  proposalFields,
  type QuestionProposalPage,
  type QuestionProposalsQuery,
} from './question-proposal-record.ts';
import {
  type QuestionSetPage,
  type QuestionSetRecord,
  questionFields,
  questionRecord,
  type SetQuestionPage,
  setFields,
} from './question-set-record.ts';
import {
  type CreateQuestionSetRequest,
  questionInputs,
  type SetQuestionsRequest,
  type UpdateQuestionSetRequest,
} from './question-set-request.ts';

@Route('evaluation/sets')
@Tags('Evaluation')
export class QuestionSetsController extends RestController<GraphqlCall> {
  /**
   * Lists the project's question sets, newest first. A project has at most 100.
   * @summary List question sets
   */
  @Get()
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'A page of question sets')
  async listQuestionSets(@Queries() query: PageQuery): Promise<QuestionSetPage> {
    return (await executeGraphql(this.call, listQuery, query)).questionSetPage;
  }

  /**
   * Creates a question set: questions about the project's documents, with what their answers must be.
   * @summary Create a question set
   */
  @Post()
  @Security('apiKey', ['evaluation:write'])
  @Extension('x-idempotent', true)
  @SuccessResponse(201, 'The question set')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  @Response<ErrorBody>(
    409,
    'The project has 100 sets (`CONFLICT`). Or a request with the same `Idempotency-Key` is still running (`IDEMPOTENCY_KEY_IN_USE`)',
  )
  async createQuestionSet(@Body() body: CreateQuestionSetRequest): Promise<QuestionSetRecord> {
    const { questions, ...set } = body;
    const input = { ...set, ...(questions && { questions: questionInputs(questions) }) };
    return (await executeGraphql(this.call, createMutation, { input })).createQuestionSet;
  }

  /**
   * Reads one question set, without its questions.
   * @summary Get a question set
   */
  @Get('{setId}')
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'The question set')
  async getQuestionSet(
    @Path() setId: string,
    @Queries() query: ProjectQuery,
  ): Promise<QuestionSetRecord> {
    const variables = { id: setId, projectId: query.projectId };
    return (await executeGraphql(this.call, getQuery, variables)).questionSet;
  }

  /**
   * Changes the name of a question set, or its schedule. Omitted fields stay unchanged.
   * @summary Change a question set
   */
  @Patch('{setId}')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(200, 'The changed question set')
  async updateQuestionSet(
    @Path() setId: string,
    @Body() body: UpdateQuestionSetRequest,
  ): Promise<QuestionSetRecord> {
    const input = { ...body, id: setId };
    return (await executeGraphql(this.call, updateMutation, { input })).updateQuestionSet;
  }

  /**
   * Deletes a question set with its questions and runs. A run that asks it stops.
   * @summary Delete a question set
   */
  @Delete('{setId}')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(204, 'Deleted')
  async deleteQuestionSet(@Path() setId: string, @Queries() query: ProjectQuery): Promise<void> {
    const input = { id: setId, projectId: query.projectId };
    await executeGraphql(this.call, deleteMutation, { input });
  }

  /**
   * Lists the questions of a set, in their order.
   * @summary List questions
   */
  @Get('{setId}/questions')
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'A page of questions')
  async listSetQuestions(
    @Path() setId: string,
    @Queries() query: PageQuery,
  ): Promise<SetQuestionPage> {
    const variables = { ...query, id: setId };
    const { data, ...page } = (await executeGraphql(this.call, questionsQuery, variables))
      .setQuestionPage;
    return { data: data.map(questionRecord), ...page };
  }

  /**
   * Replaces all questions of a set, and raises its version. Earlier runs keep the questions that they asked.
   * @summary Replace the questions
   */
  @Put('{setId}/questions')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(200, 'The changed question set')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async replaceSetQuestions(
    @Path() setId: string,
    @Body() body: SetQuestionsRequest,
  ): Promise<QuestionSetRecord> {
    const input = { ...body, id: setId, questions: questionInputs(body.questions) };
    return (await executeGraphql(this.call, replaceMutation, { input })).replaceSetQuestions;
  }

  /**
   * Adds questions at the end of a set, and raises its version.
   * @summary Add questions
   */
  @Post('{setId}/questions')
  @Security('apiKey', ['evaluation:write'])
  @Extension('x-idempotent', true)
  @SuccessResponse(200, 'The changed question set')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async addSetQuestions(
    @Path() setId: string,
    @Body() body: SetQuestionsRequest,
  ): Promise<QuestionSetRecord> {
    const input = { ...body, id: setId, questions: questionInputs(body.questions) };
    return (await executeGraphql(this.call, addMutation, { input })).addSetQuestions;
  }

  /**
   * Lists questions of end users that the set does not have yet, newest first: questions with an answer of low
   * confidence or with a bad rating, and the last questions before an agent took over. Covers the latest 500 of each
   * reason. Each wording is one entry. Small talk, conversations in the playground and questions that the team dismissed
   * are omitted. Nothing is stored: send the questions that you choose to `POST /evaluation/sets/{setId}/questions`.
   * @summary Propose questions
   */
  @Get('{setId}/proposals')
  @Security('apiKey', ['evaluation:write', 'conversations:read'])
  @SuccessResponse(200, 'A page of questions')
  async listQuestionProposals(
    @Path() setId: string,
    @Queries() query: QuestionProposalsQuery,
  ): Promise<QuestionProposalPage> {
    const variables = { ...query, setId };
    return (await executeGraphql(this.call, proposalsQuery, variables)).questionProposalPage;
  }
}

const listQuery = graphql(`
  query listQuestionSets($projectId: ID!, $page: Int, $limit: Int) {
    questionSetPage(projectId: $projectId, page: $page, limit: $limit) {
      data { ${setFields} } ${pageFields}
    }
  }
`);

const createMutation = graphql(`
  mutation createQuestionSet($input: CreateQuestionSetInput!) {
    createQuestionSet(input: $input) { ${setFields} }
  }
`);

const getQuery = graphql(`
  query getQuestionSet($id: ID!, $projectId: ID!) {
    questionSet(id: $id, projectId: $projectId) { ${setFields} }
  }
`);

const updateMutation = graphql(`
  mutation updateQuestionSet($input: UpdateQuestionSetInput!) {
    updateQuestionSet(input: $input) { ${setFields} }
  }
`);

const deleteMutation = graphql(`
  mutation deleteQuestionSet($input: DeleteQuestionSetInput!) {
    deleteQuestionSet(input: $input) { id }
  }
`);

const questionsQuery = graphql(`
  query listSetQuestions($id: ID!, $projectId: ID!, $page: Int, $limit: Int) {
    setQuestionPage(id: $id, projectId: $projectId, page: $page, limit: $limit) {
      data { ${questionFields} } ${pageFields}
    }
  }
`);

const replaceMutation = graphql(`
  mutation replaceSetQuestions($input: ReplaceSetQuestionsInput!) {
    replaceSetQuestions(input: $input) { ${setFields} }
  }
`);

const addMutation = graphql(`
  mutation addSetQuestions($input: AddSetQuestionsInput!) {
    addSetQuestions(input: $input) { ${setFields} }
  }
`);

const proposalsQuery = graphql(`
  query listQuestionProposals($setId: ID!, $projectId: ID!, $page: Int, $limit: Int, $since: DateTime, $reason: QuestionProposalReason) {
    questionProposalPage(setId: $setId, projectId: $projectId, page: $page, limit: $limit, since: $since, reason: $reason) {
      data { ${proposalFields} } ${pageFields}
    }
  }
`);
