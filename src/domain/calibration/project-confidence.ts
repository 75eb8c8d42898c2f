import { defaultThreshold } from '../chat/evidence/answer-rule.ts';
import type { Context } from '../context.ts';
import {
  countSteps,
  lookbackStart,
  type StepCounts,
  unansweredStep,
} from '../feedback/confidence-curve.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type ConfidenceMap, fitConfidenceMap, minAnswers, minOfEach } from './confidence-map.ts';
import { type Basis, type JudgedAnswers, readJudgedAnswers } from './judged-answers.ts';
import {
  type AnswersFrom,
  answersFrom,
  answersNeeded,
  promisedThreshold,
} from './promised-threshold.ts';

/** What the confidence means in a project, measured on answers that were rated or judged. */
export interface ProjectConfidence {
  readonly projectId: string;
  readonly basis: Basis;
  readonly since: Date;
  /** Number of answers that were rated or judged, and of those that were accepted. */
  readonly answers: number;
  readonly accepted: number;
  readonly fromRatings: number;
  readonly fromQuestionSets: number;
  /** Number of answers, and of accepted and of not accepted ones, from which there is a map. */
  readonly mapNeeds: { readonly answers: number; readonly ofEach: number };
  /** Null if there are not enough answers. */
  readonly map: ConfidenceMap | null;
  /** The answers that the current threshold lets through. */
  readonly current: ThresholdEffect;
  readonly promises: readonly ConfidencePromise[];
}

/** Answers from a threshold on, and what the threshold costs in refusals. */
export interface ThresholdEffect extends AnswersFrom {
  /** Questions of the sets that the documents answer. */
  readonly answerable: number;
  /** Those of them that this threshold refuses. */
  readonly answerableRefused: number;
  /** Questions of end users since `since`. */
  readonly questions: number;
  /** Those of them that this threshold refuses. */
  readonly questionsRefused: number;
}

/** The promise that at most `maxWrong` of the given answers are wrong. */
export interface ConfidencePromise {
  readonly maxWrong: number;
  /** Number of right answers from which the promise can be made. */
  readonly answersNeeded: number;
  /** The lowest threshold that keeps the promise with 95 % certainty. Null if no threshold does. */
  readonly kept: ThresholdEffect | null;
}

const usualPromises = [0.01, 0.02, 0.05, 0.1, 0.2];

/**
 * Returns what the confidence means in a project, from the ratings and evaluation runs of the last 90 days. With
 * `maxWrong`, only for this promise instead of 1, 2, 5, 10 and 20 %.
 * @throws DomainError from `requireProject`
 */
export async function getProjectConfidence(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly basis?: Basis | null;
    readonly maxWrong?: number | null;
  },
): Promise<ProjectConfidence> {
  const project = await requireProject(context, input.projectId, 'evaluation:read');
  const { id: projectId, confidenceThreshold } = project;
  const basis = input.basis ?? 'ALL';
  const since = lookbackStart();
  const { models } = context;
  const [judged, asked, { model }] = await Promise.all([
    readJudgedAnswers(context, projectId, { basis, since }),
    countSteps(context, projectId, since),
    models.servingEmbedding(),
  ]);
  const { byConfidence, byStep, fromRatings, fromQuestionSets } = judged;
  const threshold = confidenceThreshold ?? defaultThreshold(models.chat, model?.name ?? null);
  const promises = input.maxWrong == null ? usualPromises : [input.maxWrong];
  return {
    ...{ projectId, basis, since, fromRatings, fromQuestionSets },
    answers: fromRatings + fromQuestionSets,
    accepted: byConfidence.reduce((sum, { accepted }) => sum + accepted, 0),
    mapNeeds: { answers: minAnswers, ofEach: minOfEach },
    map: fitConfidenceMap(byConfidence),
    current: effectOf(answersFrom(byStep, threshold), judged, asked),
    promises: promises.map((maxWrong) => {
      const kept = promisedThreshold(byStep, maxWrong);
      return {
        ...{ maxWrong, answersNeeded: answersNeeded(maxWrong) },
        kept: kept && effectOf(kept, judged, asked),
      };
    }),
  };
}

function effectOf(
  from: AnswersFrom,
  { answerable }: JudgedAnswers,
  asked: readonly StepCounts[],
): ThresholdEffect {
  const first = Math.round(from.threshold * 100);
  const sum = (steps: readonly { readonly step: number; readonly count: number }[], end: number) =>
    steps.reduce((sum, { step, count }) => sum + (step < end ? count : 0), 0);
  const sets = answerable.map(({ step, questions: count }) => ({ step, count }));
  const live = asked.map(({ step, answers: count }) => ({ step, count }));
  return {
    ...from,
    answerable: sum(sets, Number.POSITIVE_INFINITY),
    answerableRefused: sum(sets, first),
    questions: sum(live, Number.POSITIVE_INFINITY),
    // A question without an answer counts as refused also without a threshold.
    questionsRefused: sum(live, Math.max(first, unansweredStep + 1)),
  };
}
