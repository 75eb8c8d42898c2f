import type { ConfidenceMap as Fitted } from '../../domain/calibration/confidence-map.ts';
import {
  type ThresholdEffect as Effect,
  getProjectConfidence,
  type ThresholdPoint as Point,
  type ConfidencePromise as Promised,
  type ProjectConfidence as Shape,
} from '../../domain/calibration/project-confidence.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalNumber } from '../input-rules.ts';
import { Verdict } from './compare-evaluations.ts';

const ConfidenceBasis = builder.enumType('ConfidenceBasis', {
  description: 'Answers from which the confidence of a project is measured.',
  values: {
    ALL: { description: 'Rated answers, and answers of question sets.' },
    RATINGS: { description: 'Answers that end users rated, at most the latest 10,000.' },
    QUESTION_SETS: {
      description:
        'Answers of the latest run of each question set, of the project as it is or with `answerThreshold: 0`.',
    },
  } as const,
});

const ConfidenceMapPoint = builder
  .objectRef<Fitted['points'][number]>('ConfidenceMapPoint')
  .implement({
    description: 'One point of the map.',
    fields: (t) => ({
      confidence: t.exposeFloat('confidence', { description: '0 to 1, in steps of 0.05.' }),
      accepted: t.exposeFloat('accepted', {
        description: 'Share of accepted answers at this confidence, 0 to 1.',
      }),
      low: t.exposeFloat('low', { description: 'Lower bound of the 95 % interval of `accepted`.' }),
      high: t.exposeFloat('high', {
        description: 'Upper bound of the 95 % interval of `accepted`.',
      }),
    }),
  });

const ConfidenceMapMethod = builder.enumType('ConfidenceMapMethod', {
  description: 'How a map was fitted.',
  values: {
    LOGISTIC: { description: 'A logistic function of the log-odds of the confidence (Platt).' },
    ISOTONIC: { description: 'Shares that never fall as the confidence rises.' },
  } as const,
});

const ConfidenceMap = builder.objectRef<Fitted>('ConfidenceMap').implement({
  description:
    'Map from the confidence of an answer to the share of accepted answers in the project.',
  fields: (t) => ({
    method: t.expose('method', {
      type: ConfidenceMapMethod,
      description: 'The method that is more accurate on answers that it was not fitted to.',
    }),
    points: t.field({
      type: [ConfidenceMapPoint],
      resolve: ({ points }) => [...points],
      description: 'Points at confidences from 0 to 1. Interpolate between two points.',
    }),
    brierBefore: t.exposeFloat('brierBefore', {
      description: 'Mean squared error of the confidence (Brier score). Lower is better.',
    }),
    brierAfter: t.exposeFloat('brierAfter', {
      description: 'Mean squared error of the map, for answers that it was not fitted to.',
    }),
    calibrationErrorBefore: t.exposeFloat('calibrationErrorBefore', {
      description: 'Expected calibration error of the confidence.',
    }),
    calibrationErrorAfter: t.exposeFloat('calibrationErrorAfter', {
      description: 'Expected calibration error of the map, for answers that it was not fitted to.',
    }),
    verdict: t.expose('verdict', {
      type: Verdict,
      description: 'Whether the map is more accurate than the confidence by more than chance.',
    }),
  }),
});

const ThresholdEffect = builder.objectRef<Effect>('ThresholdEffect').implement({
  description: 'Answers that a threshold lets through, and what it costs in refusals.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', {
      description: 'Lowest confidence with which the assistant answers, 0 to 1.',
    }),
    answers: t.exposeInt('answers', {
      description: 'Number of rated or judged answers with at least this confidence.',
    }),
    wrong: t.exposeInt('wrong', { description: 'Number of `answers` that were not accepted.' }),
    wrongAtMost: t.exposeFloat('wrongAtMost', {
      description:
        'Upper bound of the share of wrong answers, with 95 % certainty. 1 without answers.',
    }),
    answerable: t.exposeInt('answerable', {
      description: 'Number of questions of the sets that the documents answer.',
    }),
    answerableRefused: t.exposeInt('answerableRefused', {
      description: 'Number of `answerable` questions that the threshold refuses.',
    }),
    questions: t.exposeInt('questions', {
      description: 'Number of questions of end users in the period, at most the latest 50,000.',
    }),
    questionsRefused: t.exposeInt('questionsRefused', {
      description: 'Number of `questions` that the threshold refuses.',
    }),
  }),
});

const ThresholdPoint = builder.objectRef<Point>('ThresholdPoint').implement({
  description: 'One threshold of the curve.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', { description: '0 to 1, in steps of 0.01.' }),
    answers: t.exposeInt('answers', {
      description: 'Number of rated or judged answers with at least this confidence.',
    }),
    wrong: t.exposeInt('wrong', { description: 'Number of `answers` that were not accepted.' }),
    answerableRefused: t.exposeInt('answerableRefused', {
      description:
        'Number of questions of the sets that the documents answer and that the threshold refuses.',
    }),
    questionsRefused: t.exposeInt('questionsRefused', {
      description: 'Number of questions of end users that the threshold refuses.',
    }),
  }),
});

const ConfidencePromise = builder.objectRef<Promised>('ConfidencePromise').implement({
  description:
    'The promise that at most the share `maxWrong` of the answers is wrong. Refusals do not count as answers.',
  fields: (t) => ({
    maxWrong: t.exposeFloat('maxWrong', { description: 'Maximum share of wrong answers, 0 to 1.' }),
    answersNeeded: t.exposeInt('answersNeeded', {
      description: 'Minimum number of answers for this promise, if all of them are right.',
    }),
    kept: t.expose('kept', {
      type: ThresholdEffect,
      nullable: true,
      description:
        'The lowest threshold that keeps the promise with 95 % certainty. Null if no threshold does.',
    }),
  }),
});

const ConfidenceMapNeeds = builder.objectRef<Shape['mapNeeds']>('ConfidenceMapNeeds').implement({
  description: 'Minimum numbers of answers for a map.',
  fields: (t) => ({
    answers: t.exposeInt('answers', { description: 'Minimum number of rated or judged answers.' }),
    ofEach: t.exposeInt('ofEach', {
      description: 'Minimum number of accepted answers, and of answers that were not accepted.',
    }),
  }),
});

const ProjectConfidence = builder.objectRef<Shape>('ProjectConfidence').implement({
  description:
    'Accepted answers of a project by confidence, measured on answers of the last 90 days that end users rated or that evaluation runs judged. An answer is accepted if it was rated UP, or contains the expected texts; without expected texts, if its first citation is of the expected document.',
  fields: (t) => ({
    basis: t.expose('basis', { type: ConfidenceBasis }),
    since: t.expose('since', {
      type: 'DateTime',
      description: 'Start of the period: 90 days ago.',
    }),
    answers: t.exposeInt('answers', {
      description: 'Number of answers that were rated or judged.',
    }),
    accepted: t.exposeInt('accepted', { description: 'Number of `answers` that were accepted.' }),
    fromRatings: t.exposeInt('fromRatings', {
      description: 'Number of `answers` that end users rated.',
    }),
    fromQuestionSets: t.exposeInt('fromQuestionSets', {
      description: 'Number of `answers` that evaluation runs judged.',
    }),
    mapNeeds: t.expose('mapNeeds', { type: ConfidenceMapNeeds }),
    map: t.expose('map', {
      type: ConfidenceMap,
      nullable: true,
      description: 'Null if there are not enough answers: see `mapNeeds`.',
    }),
    defaultThreshold: t.exposeFloat('defaultThreshold', {
      description:
        'Threshold while the project has set none. 0 with a language model, which itself refuses to answer.',
    }),
    current: t.expose('current', {
      type: ThresholdEffect,
      description: 'Effect of the threshold that the project has now.',
    }),
    curve: t.field({
      type: [ThresholdPoint],
      description:
        'Effect of each threshold from 0 to 1, lowest first. Answers that the current threshold prevented have no ratings, so lower thresholds are measured by question sets alone.',
      resolve: ({ curve }) => [...curve],
    }),
    promises: t.field({ type: [ConfidencePromise], resolve: ({ promises }) => [...promises] }),
  }),
});

builder.queryField('projectConfidence', (t) =>
  t.field({
    type: ProjectConfidence,
    description:
      'Returns the share of accepted answers by confidence, and thresholds that limit the share of wrong answers. Set the threshold with `updateProject`. Needs `EVALUATION_READ`.',
    args: {
      projectId: t.arg.id({ required: true }),
      basis: t.arg({ type: ConfidenceBasis, description: 'Answers to measure. Default: `ALL`.' }),
      maxWrong: t.arg.float({
        description:
          'Maximum share of wrong answers to promise, 0.001 to 0.5. Refusals do not count as answers. Default: 0.01, 0.02, 0.05, 0.1 and 0.2.',
      }),
    },
    validate: fieldsSchema({ maxWrong: optionalNumber(0.001, 0.5) }),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => getProjectConfidence(context, args),
  }),
);
