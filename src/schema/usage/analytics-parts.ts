import {
  listAgentFigures,
  type AgentFigures as OfAgent,
} from '../../domain/analytics/agent-figures.ts';
import {
  getHoursOfDay,
  type HoursOfDay,
  type HourFigures as OfHour,
} from '../../domain/analytics/hour-figures.ts';
import {
  listLabelFigures,
  type LabelFigures as OfLabel,
} from '../../domain/analytics/label-figures.ts';
import {
  listTopicFigures,
  type TopicFigures as OfTopic,
} from '../../domain/analytics/topic-figures.ts';
import { builder } from '../builder.ts';
import { Analytics } from './analytics.ts';

const AnalyticsHour = builder.objectRef<OfHour>('AnalyticsHour').implement({
  description: 'Answers of all days of a range that were created in one hour of the day.',
  fields: (t) => ({
    hour: t.exposeInt('hour', { description: 'Hour of the day, 0 to 23.' }),
    answers: t.exposeInt('answers', { description: 'Number of completed answers.' }),
    refused: t.exposeInt('refused', {
      description: 'Number of answers without a source: the documents did not answer the question.',
    }),
  }),
});

const AnalyticsHours = builder.objectRef<HoursOfDay>('AnalyticsHours').implement({
  description: 'Answers of a range of days by hour of the day.',
  fields: (t) => ({
    timeZone: t.exposeString('timeZone', {
      description:
        "IANA time zone of the hours: that of the project's business hours, or UTC if it has none.",
    }),
    hours: t.field({
      type: [AnalyticsHour],
      description: 'The 24 hours of a day, from 0.',
      resolve: ({ hours }) => [...hours],
    }),
  }),
});

const meanRating = 'Mean of these ratings, 1 to 5. Null without ratings.';

const AnalyticsAgent = builder.objectRef<OfAgent>('AnalyticsAgent').implement({
  description: 'Handoffs requested in a range of days, of the agent who claimed them last.',
  fields: (t) => ({
    agent: t.exposeString('agent', {
      nullable: true,
      description:
        "The team member's e-mail address, `key:` and the name of an API key, or `service`. Null for all agents without an entry of their own.",
    }),
    claimed: t.exposeInt('claimed', { description: 'Number of handoffs.' }),
    resolved: t.exposeInt('resolved', { description: 'Number of `claimed` that are resolved.' }),
    replyP50Seconds: t.exposeFloat('replyP50Seconds', {
      nullable: true,
      description: 'Median time from the request to the first reply. Null without replies.',
    }),
    resolutionP50Seconds: t.exposeFloat('resolutionP50Seconds', {
      nullable: true,
      description: 'Median time from the request to the resolution. Null without resolutions.',
    }),
    ratings: t.exposeInt('ratings', { description: 'Number of `claimed` that end users rated.' }),
    meanRating: t.exposeFloat('meanRating', { nullable: true, description: meanRating }),
  }),
});

const AnalyticsLabel = builder.objectRef<OfLabel>('AnalyticsLabel').implement({
  description:
    'Conversations with a label that started in a range of days. A conversation counts once for each of its labels.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the label. Null for all labels without an entry of their own.',
    }),
    conversations: t.exposeInt('conversations'),
    refused: t.exposeInt('refused', {
      description: 'Number of answers in these conversations without a source.',
    }),
    handoffs: t.exposeInt('handoffs', {
      description: 'Number of requested handoffs of these conversations.',
    }),
    ratings: t.exposeInt('ratings', {
      description: 'Number of handoffs of these conversations that end users rated.',
    }),
    meanRating: t.exposeFloat('meanRating', { nullable: true, description: meanRating }),
  }),
});

const AnalyticsTopic = builder.objectRef<OfTopic>('AnalyticsTopic').implement({
  description:
    'Answers of a range of days that cite a document with a tag. An answer counts once for each tag of the documents that it cites.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description:
        'The tag. The documents have it now, which may differ from the day of the answer.',
    }),
    answers: t.exposeInt('answers', { description: 'Number of completed answers.' }),
    unsure: t.exposeInt('unsure', {
      description: 'Number of `answers` with a confidence below 0.3.',
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: 'Mean confidence of `answers`, 0 to 1. Null if none has a confidence.',
    }),
    helpful: t.exposeInt('helpful', { description: 'Number of `answers` rated UP.' }),
    unhelpful: t.exposeInt('unhelpful', { description: 'Number of `answers` rated DOWN.' }),
  }),
});

builder.objectFields(Analytics, (t) => ({
  byHour: t.field({
    type: AnalyticsHours,
    description: 'Answers of the range by hour of the day.',
    resolve: (analytics, _args, context) => getHoursOfDay(context, analytics),
  }),
  byAgent: t.field({
    type: [AnalyticsAgent],
    description:
      'The 50 agents with the most handoffs, most first. If there are more, the last entry has the figures of all others. Needs the permission to read conversations.',
    authScopes: { permission: 'conversations:read' },
    resolve: (analytics, _args, context) => listAgentFigures(context, analytics),
  }),
  byLabel: t.field({
    type: [AnalyticsLabel],
    description:
      'The 50 labels with the most conversations, most first. If there are more, the last entry has the figures of all others.',
    resolve: (analytics, _args, context) => listLabelFigures(context, analytics),
  }),
  byTopic: t.field({
    type: [AnalyticsTopic],
    description:
      'The at most 50 tags of documents with the most answers that cite them, most first. Answers without a citation have no topic; see `unansweredQuestions`. Needs the permission to read documents. Empty for API keys with a filter.',
    authScopes: { permission: 'knowledge:read' },
    resolve: (analytics, _args, context) => listTopicFigures(context, analytics),
  }),
}));
