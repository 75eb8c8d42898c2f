import {
  type AnalyticsDay as Day,
  type Analytics as Figures,
  getAnalytics,
  type AnalyticsFigures as PeriodFigures,
} from '../../domain/analytics/analytics.ts';
import { listWeakAnswers, type WeakAnswer as Weak } from '../../domain/analytics/weak-answers.ts';
import { builder } from '../builder.ts';
import { FeedbackRating } from '../feedback.ts';
import { dayRangeSchema } from './day-range.ts';

const AnalyticsFigures = builder.interfaceRef<PeriodFigures>('AnalyticsFigures').implement({
  description:
    'Figures of a project in a period. Conversations in the playground and small talk are not counted.',
  fields: (t) => ({
    conversations: t.exposeInt('conversations', {
      description: 'Conversations that started in the period and got an answer or a handoff.',
    }),
    deflected: t.exposeInt('deflected', {
      description: 'Number of `conversations` without a handoff.',
    }),
    handedOver: t.exposeInt('handedOver', {
      description: 'Number of `conversations` with a requested handoff.',
    }),
    answers: t.exposeInt('answers', { description: 'Number of completed answers.' }),
    unsure: t.exposeInt('unsure', {
      description: 'Number of answers with a confidence below 0.3.',
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: 'Mean confidence of the answers, 0 to 1. Null without answers.',
    }),
    helpful: t.exposeInt('helpful', { description: 'Number of answers rated UP.' }),
    unhelpful: t.exposeInt('unhelpful', { description: 'Number of answers rated DOWN.' }),
    inputTokens: t.exposeFloat('inputTokens', { description: 'Input tokens of the answers.' }),
    outputTokens: t.exposeFloat('outputTokens', { description: 'Output tokens of the answers.' }),
    embeddingTokens: t.exposeFloat('embeddingTokens', {
      description: 'Embedding tokens of the questions.',
    }),
    handoffs: t.exposeInt('handoffs', {
      description: 'Handoffs requested in the period. Without conversations that agents took over.',
    }),
    replied: t.exposeInt('replied', {
      description: 'Number of `handoffs` to which the team has replied.',
    }),
    replyP50Seconds: t.exposeFloat('replyP50Seconds', {
      nullable: true,
      description: 'Median time from the request to the first reply. Null without replies.',
    }),
    replyP95Seconds: t.exposeFloat('replyP95Seconds', {
      nullable: true,
      description:
        '95th percentile of the time from the request to the first reply. Null without replies.',
    }),
    repliesDue: t.exposeInt('repliesDue', {
      description: 'Number of handoffs with a target for the reply, replied to or overdue.',
    }),
    repliesInTime: t.exposeInt('repliesInTime', {
      description: 'Number of `repliesDue` with a reply in time.',
    }),
    resolved: t.exposeInt('resolved', {
      description: 'Number of `handoffs` that are resolved now.',
    }),
    resolutionP50Seconds: t.exposeFloat('resolutionP50Seconds', {
      nullable: true,
      description: 'Median time from the request to the resolution. Null without resolutions.',
    }),
    resolutionP95Seconds: t.exposeFloat('resolutionP95Seconds', {
      nullable: true,
      description:
        '95th percentile of the time from the request to the resolution. Null without resolutions.',
    }),
    resolutionsDue: t.exposeInt('resolutionsDue', {
      description: 'Number of handoffs with a target for the resolution, resolved or overdue.',
    }),
    resolutionsInTime: t.exposeInt('resolutionsInTime', {
      description: 'Number of `resolutionsDue` that were resolved in time.',
    }),
  }),
});

const AnalyticsPeriod = builder.objectRef<PeriodFigures>('AnalyticsPeriod').implement({
  description: 'Figures of a project in a whole period.',
  interfaces: [AnalyticsFigures],
});

const AnalyticsDay = builder.objectRef<Day>('AnalyticsDay').implement({
  description: 'Figures of a project on one day (UTC).',
  interfaces: [AnalyticsFigures],
  fields: (t) => ({
    day: t.expose('day', { type: 'DateTime', description: 'Start of the day (UTC).' }),
  }),
});

const WeakAnswer = builder.objectRef<Weak>('WeakAnswer').implement({
  description: 'An answer that was rated DOWN, or has low confidence.',
  fields: (t) => ({
    messageId: t.exposeID('messageId'),
    conversationId: t.exposeID('conversationId'),
    question: t.exposeString('question', { description: 'The first 300 characters.' }),
    answer: t.exposeString('answer', { description: 'The first 300 characters.' }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: 'Confidence of the answer, 0 to 1.',
    }),
    rating: t.expose('rating', {
      type: FeedbackRating,
      nullable: true,
      description: 'Rating of the end user. Null if the answer is not rated.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const Analytics = builder.objectRef<Figures>('Analytics').implement({
  description: 'Figures of a project in a range of days, and in the same number of days before.',
  fields: (t) => ({
    current: t.expose('current', {
      type: AnalyticsPeriod,
      description: 'The whole range of days.',
    }),
    previous: t.expose('previous', {
      type: AnalyticsPeriod,
      description: 'The same number of days directly before the range.',
    }),
    days: t.field({
      type: [AnalyticsDay],
      description: 'One entry per day, oldest first, including days without conversations.',
      resolve: ({ days }) => [...days],
    }),
    weakAnswers: t.field({
      type: [WeakAnswer],
      description:
        'The ten worst answers of the range: first the answers rated DOWN, then the answers with the lowest confidence. Needs the permission to read conversations.',
      authScopes: { permission: 'conversations:read' },
      resolve: (analytics, _args, context) => listWeakAnswers(context, analytics),
    }),
  }),
});

builder.queryField('analytics', (t) =>
  t.field({
    type: Analytics,
    description:
      'Conversations, answers and handoffs of a project over at most 92 days, compared with the same number of days before.',
    args: {
      projectId: t.arg.id({ required: true }),
      from: t.arg({
        type: 'DateTime',
        description: 'Any time on the first day, UTC. Default: 29 days before the last day.',
      }),
      to: t.arg({
        type: 'DateTime',
        description: 'Any time on the last day, UTC. Default: today.',
      }),
    },
    validate: dayRangeSchema,
    authScopes: { permission: 'usage:read' },
    resolve: (_root, args, context) => getAnalytics(context, args),
  }),
);
