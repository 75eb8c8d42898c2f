import { giveFeedback } from '../domain/feedback/give-feedback.ts';
import { FeedbackRating as Ratings } from '../domain/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { optionalText, rules } from './text-rules.ts';

export const FeedbackRating = builder.enumType('FeedbackRating', {
  description: 'What a reader thinks of an answer.',
  values: {
    [Ratings.UP]: { description: 'It helped.' },
    [Ratings.DOWN]: { description: 'It did not help: its question counts as unanswered.' },
  },
});

export const MessageFeedback = builder.prismaObject('MessageFeedback', {
  description:
    'What a reader thinks of an answer. An answer has one opinion at most, the last that was given.',
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: 'The answer.' }),
    rating: t.expose('rating', { type: FeedbackRating, description: 'Whether it helped.' }),
    comment: t.exposeString('comment', { nullable: true, description: "In the reader's words." }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When feedback was first given.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When this feedback was given.',
    }),
  }),
});

const GiveFeedbackInput = builder.inputType('GiveFeedbackInput', {
  description: 'What a reader thinks of which answer.',
  validate: rules({ comment: optionalText(2000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    messageId: t.id({ required: true, description: 'An answer of the assistant.' }),
    rating: t.field({ type: FeedbackRating, required: true, description: 'Whether it helped.' }),
    comment: t.string({ description: 'At most 2,000 characters.' }),
  }),
});

builder.mutationField('giveFeedback', (t) =>
  t.prismaField({
    type: MessageFeedback,
    description: 'Notes what a reader thinks of an answer, in place of what was noted before.',
    args: {
      input: t.arg({ type: GiveFeedbackInput, required: true, description: 'The feedback.' }),
    },
    authScopes: { permission: 'chat' },
    resolve: (_query, _root, { input }, context) => giveFeedback(context, input),
  }),
);
