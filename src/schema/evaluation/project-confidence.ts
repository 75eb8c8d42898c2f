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
    ALL: { description: 'Both of the others.' },
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
    description: 'The map at one confidence.',
    fields: (t) => ({
      confidence: t.exposeFloat('confidence', { description: '0 to 1, in steps of 0.05.' }),
      accepted: t.exposeFloat('accepted', { description: 'Share of accepted answers.' }),
      low: t.exposeFloat('low', { description: 'Lower bound of its 95 % interval.' }),
      high: t.exposeFloat('high', { description: 'Upper bound of that interval.' }),
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
      description: 'The more accurate one for answers that it was not fitted to.',
    }),
    points: t.field({
      type: [ConfidenceMapPoint],
      resolve: ({ points }) => [...points],
      description: 'From 0 to 1. Interpolate between them.',
    }),
    brierBefore: t.exposeFloat('brierBefore', {
      description: 'Mean squared error of the confidence.',
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
      description: 'Whether the map is more accurate than the confidence.',
    }),
  }),
});

const ThresholdEffect = builder.objectRef<Effect>('ThresholdEffect').implement({
  description: 'Answers that a threshold lets through, and what it costs in refusals.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', { description: '0 to 1.' }),
    answers: t.exposeInt('answers', {
      description: 'Number of rated or judged answers with at least this confidence.',
    }),
    wrong: t.exposeInt('wrong', { description: 'Number of those that were not accepted.' }),
    wrongAtMost: t.exposeFloat('wrongAtMost', {
      description:
        'Upper bound of the share of wrong answers, with 95 % certainty. 1 without answers.',
    }),
    answerable: t.exposeInt('answerable', {
      description: 'Number of questions of the sets that the documents answer.',
    }),
    answerableRefused: t.exposeInt('answerableRefused', {
      description: 'Number of those that would be refused.',
    }),
    questions: t.exposeInt('questions', {
      description: 'Number of questions of end users, at most the latest 50,000.',
    }),
    questionsRefused: t.exposeInt('questionsRefused', {
      description: 'Number of those that would be refused.',
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
    wrong: t.exposeInt('wrong', { description: 'Number of those that were not accepted.' }),
    answerableRefused: t.exposeInt('answerableRefused', {
      description: 'Number of questions of the sets that the documents answer and it refuses.',
    }),
    questionsRefused: t.exposeInt('questionsRefused', {
      description: 'Number of questions of end users that it refuses.',
    }),
  }),
});

const ConfidencePromise = builder.objectRef<Promised>('ConfidencePromise').implement({
  description: 'The promise that at most a share of the given answers is wrong.',
  fields: (t) => ({
    maxWrong: t.exposeFloat('maxWrong', { description: 'The share, 0 to 1.' }),
    answersNeeded: t.exposeInt('answersNeeded', {
      description: 'Number of answers, all of them right, from which the promise can be made.',
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
  description: 'Number of answers from which there is a map.',
  fields: (t) => ({
    answers: t.exposeInt('answers'),
    ofEach: t.exposeInt('ofEach', {
      description: 'Number of accepted answers, and of answers that were not accepted.',
    }),
  }),
});

const ProjectConfidence = builder.objectRef<Shape>('ProjectConfidence').implement({
  description:
    'What the confidence means in a project, measured on answers of the last 90 days that end users rated or that evaluation runs judged. An answer is accepted if it was rated UP, or contains the expected texts; without expected texts, if its first citation is of the expected document.',
  fields: (t) => ({
    basis: t.expose('basis', { type: ConfidenceBasis }),
    since: t.expose('since', {
      type: 'DateTime',
      description: 'Start of the period: 90 days ago.',
    }),
    answers: t.exposeInt('answers', { description: 'Number of answers.' }),
    accepted: t.exposeInt('accepted', { description: 'Number of accepted answers.' }),
    fromRatings: t.exposeInt('fromRatings', { description: 'Number of rated answers.' }),
    fromQuestionSets: t.exposeInt('fromQuestionSets', {
      description: 'Number of answers to questions of sets.',
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
      'What the confidence means in a project, and the threshold that keeps a promise. Set the threshold with `updateProject`. Needs `EVALUATION_READ`.',
    args: {
      projectId: t.arg.id({ required: true }),
      basis: t.arg({ type: ConfidenceBasis, description: 'Answers to measure. Default: `ALL`.' }),
      maxWrong: t.arg.float({
        description:
          'The promise: at most this share of the given answers is wrong, 0.001 to 0.5. Default: 0.01, 0.02, 0.05, 0.1 and 0.2.',
      }),
    },
    validate: fieldsSchema({ maxWrong: optionalNumber(0.001, 0.5) }),
    authScopes: { permission: 'evaluation:read' },
    resolve: (_root, args, context) => getProjectConfidence(context, args),
  }),
);
