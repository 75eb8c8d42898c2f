import { giveFeedback } from '../domain/feedback/give-feedback.ts';
import { FeedbackRating as Ratings } from '../platform/postgres/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { fieldsSchema, optionalText } from './input-rules.ts';

export const FeedbackRating = builder.enumType('FeedbackRating', {
  description: 'Rating of an answer.',
  values: {
    [Ratings.UP]: { description: 'The answer helped.' },
    [Ratings.DOWN]: {
      description: 'The answer did not help. `unansweredQuestions` lists its question.',
    },
  },
});

export const MessageFeedback = builder.prismaObject('MessageFeedback', {
  description:
    'Rating of an answer. An answer has at most one: a new rating replaces the previous one.',
  fields: (t) => ({
    messageId: t.exposeID('messageId'),
    rating: t.expose('rating', { type: FeedbackRating }),
    comment: t.exposeString('comment', {
      nullable: true,
      description: 'Free-text comment. Null if none was given.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the first rating.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time of the current rating.',
    }),
  }),
});

const GiveFeedbackInput = builder.inputType('GiveFeedbackInput', {
  validate: fieldsSchema({ comment: optionalText(2000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    messageId: t.id({
      required: true,
      description: 'Id of an answer of the assistant. NOT_FOUND for any other message.',
    }),
    rating: t.field({ type: FeedbackRating, required: true }),
    comment: t.string({ description: 'Free-text comment, at most 2,000 characters.' }),
  }),
});

builder.mutationField('giveFeedback', (t) =>
  t.prismaField({
    type: MessageFeedback,
    description: 'Rates an answer. Replaces a previous rating.',
    args: { input: t.arg({ type: GiveFeedbackInput, required: true }) },
    authScopes: { permission: 'chat' },
    resolve: (_query, _root, { input }, context) => giveFeedback(context, input),
  }),
);
