import {
  type AnswerFigures as Figures,
  getAnswerQuality,
  type AnswerQuality as Quality,
} from '../domain/usage/answer-quality.ts';
import { builder } from './builder.ts';
import { dayRange, organizationDays } from './day-range.ts';

const AnswerFigures = builder.interfaceRef<Figures>('AnswerFigures').implement({
  description:
    'How sure and how quick completed answers were, from question to complete answer. Null: there were none.',
  fields: (t) => ({
    answers: t.exposeInt('answers', { description: 'How many there were.' }),
    unsure: t.exposeInt('unsure', {
      description:
        'How many of them have a confidence below 0.3: what the documents do not hold, or hardly.',
    }),
    latencyP50Ms: t.exposeInt('latencyP50Ms', {
      nullable: true,
      description: 'Half of them took at most this, within 5 percent.',
    }),
    latencyP95Ms: t.exposeInt('latencyP95Ms', {
      nullable: true,
      description: '19 of 20 took at most this, within 5 percent.',
    }),
  }),
});

const AnswerDay = builder.objectRef<Quality['days'][number]>('AnswerDay').implement({
  description: 'Completed answers of one day, UTC.',
  interfaces: [AnswerFigures],
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'The first moment of the day.' }),
  }),
});

const AnswerQuality = builder.objectRef<Quality>('AnswerQuality').implement({
  description: 'Completed answers of several days.',
  interfaces: [AnswerFigures],
  fields: (t) => ({
    days: t.field({
      type: [AnswerDay],
      description: 'Each day, oldest first, those without answers included.',
      resolve: ({ days }) => [...days],
    }),
  }),
});

builder.queryField('answerQuality', (t) =>
  t.field({
    type: AnswerQuality,
    description:
      'How sure and how quick the answers of an organization were, on at most 366 days. Answers that failed or were stopped do not count.',
    args: organizationDays,
    validate: dayRange,
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getAnswerQuality(context, args),
  }),
);
