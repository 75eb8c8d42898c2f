import type { Context } from '../../domain/context.ts';
import type { Citation } from '../../domain/conversations/citation.ts';
import { getAgreement } from '../../domain/evaluation/agreement.ts';
import { evaluateJob, failEvaluationJob } from '../../domain/evaluation/evaluate-job.ts';
import {
  type EvaluationResult,
  listEvaluationResults,
} from '../../domain/evaluation/evaluation-results.ts';
import {
  cancelEvaluation,
  type EvaluationRun,
  figuresOf,
  getEvaluation,
  startEvaluation,
  storedFailedBounds,
} from '../../domain/evaluation/evaluation-runs.ts';
import { storedExpectation } from '../../domain/evaluation/expectation.ts';
import type { FigureBounds } from '../../domain/evaluation/figure-bounds.ts';
import { figureNames } from '../../domain/evaluation/figures.ts';
import type { SetQuestion } from '../../domain/evaluation/question-rows.ts';
import {
  createQuestionSet,
  listQuestionSets,
  type QuestionSet,
} from '../../domain/evaluation/question-sets.ts';
import {
  addSetQuestions,
  listSetQuestions,
  replaceSetQuestions,
} from '../../domain/evaluation/set-questions.ts';
import { scheduleOf, storedBounds } from '../../domain/evaluation/set-schedule.ts';
import type {
  EvaluationResultRecord,
  EvaluationRunRecord,
} from '../../rest/evaluation/evaluation-run-record.ts';
import {
  expectedTexts,
  type QuestionSetRecord,
  type SetQuestionRecord,
} from '../../rest/evaluation/question-set-record.ts';
import type { EvaluationTarget } from './evaluation-target.ts';
import { listPages } from './list-pages.ts';

const limit = 100;

/**
 * Creates a target on the service's database. The process takes part in asking the questions of a run, so that the run
 * also finishes if no service is running. The context must be that of a worker.
 */
export function createLocalEvaluationTarget(context: Context, projectId: string): EvaluationTarget {
  return {
    listSets: () =>
      listPages(async (page) => {
        const { data, hasMore } = await listQuestionSets(context, { projectId, page, limit });
        return { data: data.map(toSet), hasMore };
      }),
    createSet: async (name, questions) =>
      toSet(await createQuestionSet(context, { projectId, name, questions })),
    addQuestions: async (id, questions) =>
      toSet(await addSetQuestions(context, { projectId, id, questions })),
    replaceQuestions: async (id, questions) =>
      toSet(await replaceSetQuestions(context, { projectId, id, questions })),
    listQuestions: (id) =>
      listPages(async (page) => {
        const { data, hasMore } = await listSetQuestions(context, { projectId, id, page, limit });
        return { data: data.map(toQuestion), hasMore };
      }),
    async startRun(setId, { candidate, judgeByModel }) {
      const run = await startEvaluation(context, { projectId, setId, candidate, judgeByModel });
      await context.queue.work(context, [evaluateJob, failEvaluationJob]);
      return toRun(context, run);
    },
    readRun: async (id) => toRun(context, await getEvaluation(context, { projectId, id })),
    cancelRun: async (id) => toRun(context, await cancelEvaluation(context, { projectId, id })),
    listResults: (id) =>
      listPages(async (page) => {
        const input = { projectId, id, page, limit };
        const { data, hasMore } = await listEvaluationResults(context, input);
        return { data: data.map(toResult), hasMore };
      }),
  };
}

function toSet(set: QuestionSet): QuestionSetRecord {
  const { id, projectId, name, version, questionCount } = set;
  const schedule = scheduleOf(set);
  return {
    ...{ id, projectId, name, version, questionCount },
    schedule: schedule && {
      everyHours: schedule.everyHours,
      bounds: toBounds(schedule.bounds),
      nextRunAt: schedule.nextRunAt.toISOString(),
    },
    createdAt: set.createdAt.toISOString(),
    updatedAt: set.updatedAt.toISOString(),
  };
}

function toBounds(bounds: FigureBounds): EvaluationRunRecord['bounds'] {
  const entries = figureNames.map((name) => [name, bounds[name] ?? null]);
  return Object.fromEntries(entries) as EvaluationRunRecord['bounds'];
}

function toQuestion(row: SetQuestion): SetQuestionRecord {
  const { id, question, tags, language, conversationId } = row;
  const { expected, documentId, documentName, mustRefuse } = storedExpectation(row);
  const expectation = { expected: expectedTexts(expected), documentId, documentName, mustRefuse };
  return { id, question, ...expectation, tags, language, conversationId };
}

async function toRun(context: Context, run: EvaluationRun): Promise<EvaluationRunRecord> {
  const { id, projectId, setId, setVersion, status, done, total, isScheduled, error } = run;
  return {
    ...{ id, projectId, setId, setVersion, status, progress: { done, total } },
    candidate: run.candidate as EvaluationRunRecord['candidate'],
    figures: figuresOf(run) as EvaluationRunRecord['figures'],
    judgeModel: run.judgeModel,
    agreement: await getAgreement(context, run),
    isScheduled,
    bounds: toBounds(storedBounds(run)),
    failedBounds: storedFailedBounds(run),
    error,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
}

function toResult(row: EvaluationResult): EvaluationResultRecord {
  const {
    runId: _,
    position: __,
    projectId: ___,
    askedAt: ____,
    questionRow: _____,
    ...rest
  } = row;
  const { asked, citations, ...result } = rest;
  const { id: questionId, conversationId: ______, ...question } = toQuestion(asked);
  return {
    ...result,
    ...question,
    questionId,
    citations: citations as unknown as Citation[] as EvaluationResultRecord['citations'],
  };
}
