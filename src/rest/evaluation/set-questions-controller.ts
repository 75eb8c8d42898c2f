import {
  Body,
  Delete,
  Patch,
  Path,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../http/errors.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { ProjectQuery } from '../request/read-input.ts';
import { RestController } from '../request/rest-call.ts';
import { questionFields, questionRecord, type SetQuestionRecord } from './question-set-record.ts';
import { questionInput, type UpdateSetQuestionRequest } from './question-set-request.ts';

@Route('evaluation/questions')
@Tags('Evaluation')
export class SetQuestionsController extends RestController {
  /**
   * Changes one question of a set, and raises the version of the set. Earlier runs keep the question that they asked.
   * @summary Change a question
   */
  @Patch('{questionId}')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(200, 'The changed question')
  @Response<ErrorBody>(402, "The plan's storage is used up (`QUOTA_EXCEEDED`)")
  async updateSetQuestion(
    @Path() questionId: string,
    @Body() body: UpdateSetQuestionRequest,
  ): Promise<SetQuestionRecord> {
    const input = { ...questionInput(body), id: questionId };
    return questionRecord(
      (await executeGraphql(this.call, updateQuestionMutation, { input })).updateSetQuestion,
    );
  }

  /**
   * Deletes one question of a set, and raises the version of the set. Earlier runs keep it.
   * @summary Delete a question
   */
  @Delete('{questionId}')
  @Security('apiKey', ['evaluation:write'])
  @SuccessResponse(204, 'Deleted')
  async deleteSetQuestion(
    @Path() questionId: string,
    @Queries() query: ProjectQuery,
  ): Promise<void> {
    const input = { id: questionId, projectId: query.projectId };
    await executeGraphql(this.call, deleteQuestionMutation, { input });
  }
}

const updateQuestionMutation = graphql(`
  mutation updateSetQuestion($input: UpdateSetQuestionInput!) {
    updateSetQuestion(input: $input) { ${questionFields} }
  }
`);

const deleteQuestionMutation = graphql(`
  mutation deleteSetQuestion($input: DeleteSetQuestionInput!) {
    deleteSetQuestion(input: $input) { id }
  }
`);
