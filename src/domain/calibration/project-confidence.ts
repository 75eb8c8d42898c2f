import { defaultThreshold } from '../chat/evidence/answer-rule.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type AskedQuestions, countAskedQuestions } from './asked-questions.ts';
import { type ConfidenceMap, fitConfidenceMap, minAnswers, minOfEach } from './confidence-map.ts';
import { type Basis, type JudgedAnswers, readJudgedAnswers } from './judged-answers.ts';
import {
  type AnswersFrom,
  answersFrom,
  answersNeeded,
  promisedThreshold,
  wrongAtMost,
} from './promised-threshold.ts';

/** Accepted answers of a project by confidence, measured on answers that were rated or judged. */
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
  /** The threshold that applies if the project has set none. */
  readonly defaultThreshold: number;
  /** The answers that the current threshold lets through. */
  readonly current: ThresholdEffect;
  /** Each threshold from 0 to 1 in steps of 0.01, lowest first. */
  readonly curve: readonly ThresholdPoint[];
  readonly promises: readonly ConfidencePromise[];
}

/** Answers from a threshold on, and what the threshold costs in refusals. */
export interface ThresholdPoint extends AnswersFrom {
  /** Questions of the sets that the documents answer and that this threshold refuses. */
  readonly answerableRefused: number;
  /** Questions of end users since `since` that this threshold refuses. */
  readonly questionsRefused: number;
}

export interface ThresholdEffect extends ThresholdPoint {
  /** Upper bound of the share of wrong answers, with 95 % certainty. */
  readonly wrongAtMost: number;
  /** Questions of the sets that the documents answer. */
  readonly answerable: number;
  /** Questions of end users since `since`. */
  readonly questions: number;
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
const lookbackDays = 90;

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
  const since = new Date(Date.now() - lookbackDays * 24 * 3_600_000);
  const { models } = context;
  const [judged, asked, { model }] = await Promise.all([
    readJudgedAnswers(context, projectId, { basis, since }),
    countAskedQuestions(context, projectId, since),
    models.servingEmbedding(),
  ]);
  const { byConfidence, byStep, fromRatings, fromQuestionSets } = judged;
  const unset = defaultThreshold(models.chat, model?.name ?? null);
  const promises = input.maxWrong == null ? usualPromises : [input.maxWrong];
  return {
    ...{ projectId, basis, since, fromRatings, fromQuestionSets },
    answers: fromRatings + fromQuestionSets,
    accepted: byConfidence.reduce((sum, { accepted }) => sum + accepted, 0),
    mapNeeds: { answers: minAnswers, ofEach: minOfEach },
    map: fitConfidenceMap(byConfidence),
    defaultThreshold: unset,
    current: effectOf(answersFrom(byStep, confidenceThreshold ?? unset), judged, asked),
    curve: Array.from({ length: 101 }, (_, step) =>
      pointOf(answersFrom(byStep, step / 100), judged, asked),
    ),
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
  judged: JudgedAnswers,
  asked: readonly AskedQuestions[],
): ThresholdEffect {
  return {
    ...pointOf(from, judged, asked),
    wrongAtMost: wrongAtMost(from),
    answerable: questionsBelow(Number.POSITIVE_INFINITY, judged.answerable),
    questions: questionsBelow(Number.POSITIVE_INFINITY, asked),
  };
}

function pointOf(
  from: AnswersFrom,
  { answerable }: JudgedAnswers,
  asked: readonly AskedQuestions[],
): ThresholdPoint {
  const step = Math.round(from.threshold * 100);
  return {
    ...from,
    answerableRefused: questionsBelow(step, answerable),
    questionsRefused: questionsBelow(step, asked),
  };
}

/** A question that no threshold answers has the step -1, so it counts as refused also without a threshold. */
function questionsBelow(step: number, counts: readonly AskedQuestions[]): number {
  return counts.reduce((sum, count) => sum + (count.step < step ? count.questions : 0), 0);
}
