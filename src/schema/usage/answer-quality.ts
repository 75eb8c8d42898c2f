import {
  type AnswerFigures as Figures,
  getAnswerQuality,
  type AnswerQuality as Quality,
} from '../../domain/usage/answer-quality.ts';
import { builder } from '../builder.ts';
import { dayRangeSchema, organizationDayRangeArgs } from './day-range.ts';

const AnswerFigures = builder.interfaceRef<Figures>('AnswerFigures').implement({
  description:
    'Number, confidence and latency of completed answers. Latency is the time from the question to the complete answer. It is null if there were no answers.',
  fields: (t) => ({
    answers: t.exposeInt('answers', { description: 'Number of completed answers.' }),
    unsure: t.exposeInt('unsure', {
      description:
        'Number of answers with a confidence below 0.3, which the documents hardly support.',
    }),
    latencyP50Ms: t.exposeInt('latencyP50Ms', {
      nullable: true,
      description: 'Median latency in milliseconds, with an error of at most 5 %.',
    }),
    latencyP95Ms: t.exposeInt('latencyP95Ms', {
      nullable: true,
      description: '95th percentile of the latency in milliseconds, with an error of at most 5 %.',
    }),
  }),
});

const AnswerDay = builder.objectRef<Quality['days'][number]>('AnswerDay').implement({
  description: 'Completed answers on one day (UTC).',
  interfaces: [AnswerFigures],
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'Start of the day (UTC).' }),
  }),
});

const AnswerQuality = builder.objectRef<Quality>('AnswerQuality').implement({
  description: 'Completed answers in a range of days.',
  interfaces: [AnswerFigures],
  fields: (t) => ({
    days: t.field({
      type: [AnswerDay],
      description: 'One entry per day, oldest first, including days without answers.',
      resolve: ({ days }) => [...days],
    }),
  }),
});

builder.queryField('answerQuality', (t) =>
  t.field({
    type: AnswerQuality,
    description:
      "Confidence and latency of an organization's answers over at most 366 days. Failed and stopped answers are not counted.",
    args: {
      ...organizationDayRangeArgs,
      projectId: t.arg.id({
        description: 'Only this project of the organization. Deleted conversations do not count.',
      }),
    },
    validate: dayRangeSchema,
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getAnswerQuality(context, args),
  }),
);
