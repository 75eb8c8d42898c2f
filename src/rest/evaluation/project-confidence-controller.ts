import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import { RestController } from '../request/rest-call.ts';
import {
  confidenceFields,
  type ProjectConfidenceQuery,
  type ProjectConfidenceRecord,
} from './project-confidence-record.ts';

@Route('evaluation/confidence')
@Tags('Evaluation')
export class ProjectConfidenceController extends RestController {
  /**
   * Reads the share of accepted answers at each confidence, and the threshold that keeps a promise such as "at most 5 %
   * of the answers are wrong". Measured on answers of the last 90 days
   * that end users rated or that evaluation runs judged.
   *
   * An answer is accepted if it was rated `UP`, or contains the expected texts; without expected texts, if its first
   * citation is of the expected document. Refusals do not count as answers.
   * @summary Get the confidence of the project
   */
  @Get()
  @Security('apiKey', ['evaluation:read'])
  @SuccessResponse(200, 'The accepted answers by confidence')
  async getProjectConfidence(
    @Queries() query: ProjectConfidenceQuery,
  ): Promise<ProjectConfidenceRecord> {
    return (await executeGraphql(this.call, confidenceQuery, query)).projectConfidence;
  }
}

const confidenceQuery = graphql(`
  query getProjectConfidence($projectId: ID!, $basis: ConfidenceBasis, $maxWrong: Float) {
    projectConfidence(projectId: $projectId, basis: $basis, maxWrong: $maxWrong) { ${confidenceFields} }
  }
`);
