import { randomUUID } from 'node:crypto';
import type {
  EvaluationResultPage,
  EvaluationRunRecord,
} from '../../rest/evaluation/evaluation-run-record.ts';
import type {
  QuestionSetPage,
  QuestionSetRecord,
  SetQuestionPage,
} from '../../rest/evaluation/question-set-record.ts';
import { createRestClient, type RestAccess } from '../rest-client.ts';
import { candidateRequest, questionRequests } from './evaluation-requests.ts';
import type { EvaluationTarget } from './evaluation-target.ts';
import { listPages } from './list-pages.ts';

/** Creates a target that calls a service through its REST API. */
export function createRestEvaluationTarget(access: RestAccess): EvaluationTarget {
  const client = createRestClient(access);
  const get = async <T>(path: string, query?: Readonly<Record<string, string>>) =>
    (await client.get(`evaluation/${path}`, query)) as T;
  const post = async <T>(path: string, body: object) => {
    const options = { idempotencyKey: randomUUID() };
    return (await client.send('POST', `evaluation/${path}`, body, options)) as T;
  };
  const pages = <T extends { readonly data: readonly object[]; readonly hasMore: boolean }>(
    path: string,
  ) => listPages<T['data'][number]>((page) => get<T>(path, { page: `${page}`, limit: '100' }));

  return {
    listSets: () => pages<QuestionSetPage>('sets'),
    createSet: (name, questions) =>
      post<QuestionSetRecord>('sets', { name, questions: questionRequests(questions) }),
    addQuestions: (setId, questions) =>
      post<QuestionSetRecord>(`sets/${setId}/questions`, {
        questions: questionRequests(questions),
      }),
    async replaceQuestions(setId, questions) {
      const body = { questions: questionRequests(questions) };
      const set = await client.send('PUT', `evaluation/sets/${setId}/questions`, body);
      return set as unknown as QuestionSetRecord;
    },
    listQuestions: (setId) => pages<SetQuestionPage>(`sets/${setId}/questions`),
    startRun: (setId, { candidate, judgeByModel }) =>
      post<EvaluationRunRecord>('runs', {
        setId,
        ...(candidate !== null && { candidate: candidateRequest(candidate) }),
        ...(judgeByModel && { judgeByModel }),
      }),
    readRun: (id) => get<EvaluationRunRecord>(`runs/${id}`),
    cancelRun: (id) => post<EvaluationRunRecord>(`runs/${id}/cancel`, {}),
    listResults: (runId) => pages<EvaluationResultPage>(`runs/${runId}/results`),
  };
}
