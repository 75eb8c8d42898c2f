import type { Candidate } from '../../domain/evaluation/candidate.ts';
import type { QuestionInput } from '../../domain/evaluation/question-rows.ts';
import type { EvaluationCandidateRequest } from '../../rest/evaluation/evaluation-run-request.ts';
import type { SetQuestionRequest } from '../../rest/evaluation/question-set-request.ts';

/** Returns questions as the REST API accepts them. */
export function questionRequests(questions: readonly QuestionInput[]): SetQuestionRequest[] {
  return questions.map((question) => withoutNulls(question) as SetQuestionRequest);
}

/** Returns a candidate as the REST API accepts it. */
export function candidateRequest(candidate: Candidate): EvaluationCandidateRequest {
  return withoutNulls(candidate);
}

/** The API refuses null in the fields of a question and of a candidate. */
function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field != null));
}
