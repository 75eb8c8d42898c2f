import type { Context } from '../../domain/context.ts';
import { evaluateJob, failEvaluationJob } from '../../domain/evaluation/evaluate-job.ts';
import { EvaluationRunsController } from '../../rest/evaluation/evaluation-runs-controller.ts';
import { QuestionSetsController } from '../../rest/evaluation/question-sets-controller.ts';
import { schema } from '../../schema/schema.ts';
import { candidateRequest, questionRequests } from './evaluation-requests.ts';
import type { EvaluationTarget } from './evaluation-target.ts';
import { listPages } from './list-pages.ts';

/**
 * Creates a target on the service's database, which runs the operations of the REST API in this process. The process
 * takes part in asking the questions of a run, so that the run also finishes if no service is running. The context must
 * be that of a worker.
 */
export function createLocalEvaluationTarget(context: Context, projectId: string): EvaluationTarget {
  const call = { schema, context };
  const sets = new QuestionSetsController(call);
  const runs = new EvaluationRunsController(call);
  const pageOf = (page: number) => ({ projectId, page, limit: 100 });
  return {
    listSets: () => listPages((page) => sets.listQuestionSets(pageOf(page))),
    createSet: (name, questions) =>
      sets.createQuestionSet({ projectId, name, questions: questionRequests(questions) }),
    addQuestions: (id, questions) =>
      sets.addSetQuestions(id, { projectId, questions: questionRequests(questions) }),
    replaceQuestions: (id, questions) =>
      sets.replaceSetQuestions(id, { projectId, questions: questionRequests(questions) }),
    listQuestions: (id) => listPages((page) => sets.listSetQuestions(id, pageOf(page))),
    async startRun(setId, { candidate, judgeByModel }) {
      const tried = candidate === null ? {} : { candidate: candidateRequest(candidate) };
      const input = { projectId, setId, judgeByModel, ...tried };
      const run = await runs.startEvaluation(input);
      await context.queue.work(context, [evaluateJob, failEvaluationJob]);
      return run;
    },
    readRun: (id) => runs.getEvaluation(id, { projectId }),
    cancelRun: (id) => runs.cancelEvaluation(id, { projectId }),
    listResults: (id) => listPages((page) => runs.listEvaluationResults(id, pageOf(page))),
  };
}
