import {
  getConfidenceCurve,
  type ConfidencePoint as Point,
  type ConfidenceCurve as Shape,
} from '../domain/feedback/confidence-curve.ts';
import { builder } from './builder.ts';

const ConfidencePoint = builder.objectRef<Point>('ConfidencePoint').implement({
  description: 'The effect that one confidence threshold would have had.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', { description: '0 to 1, in steps of 0.01.' }),
    ratedAnswers: t.exposeInt('ratedAnswers', {
      description: 'Number of rated answers that would still have been given.',
    }),
    helpfulAnswers: t.exposeInt('helpfulAnswers', {
      description: 'Number of these that were rated UP.',
    }),
    coverage: t.exposeFloat('coverage', {
      nullable: true,
      description:
        'Share of the rated answers that would still have been given, 0 to 1. Null if none is rated.',
    }),
    precision: t.exposeFloat('precision', {
      nullable: true,
      description:
        'Share of the rated answers that would still have been given and were rated UP, 0 to 1. Null if none would have been given.',
    }),
    answers: t.exposeInt('answers', {
      description: 'Number of questions, rated or not, that would have been answered.',
    }),
  }),
});

const ConfidenceCurve = builder.objectRef<Shape>('ConfidenceCurve').implement({
  description:
    'Precision and coverage of an assistant for each confidence threshold, computed from the ratings of its answers. Answers that the current threshold prevented have no ratings, so lower thresholds are not measured.',
  fields: (t) => ({
    since: t.expose('since', {
      type: 'DateTime',
      description: 'Start of the period: 90 days ago.',
    }),
    defaultThreshold: t.exposeFloat('defaultThreshold', {
      description:
        'Threshold while the project has set none. 0 with a language model, which itself refuses to answer.',
    }),
    ratedAnswers: t.exposeInt('ratedAnswers', {
      description:
        'Number of rated answers, at most the latest 10,000. Fallback texts, refusals and small talk are not counted.',
    }),
    questions: t.exposeInt('questions', {
      description:
        'Number of questions, at most the latest 50,000, with an answer or the fallback text.',
    }),
    points: t.field({
      type: [ConfidencePoint],
      description: 'One point for each threshold from 0 to 1 in steps of 0.01, lowest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

builder.queryField('confidenceCurve', (t) =>
  t.field({
    type: ConfidenceCurve,
    description:
      "Effect of a confidence threshold on a project's answers of the last 90 days. Set the threshold with `updateProject`.",
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'conversations:read' },
    resolve: (_root, args, context) => getConfidenceCurve(context, args),
  }),
);
