import {
  listUnansweredQuestions,
  listUnansweredQuestionsByPage,
  type UnansweredQuestion as Question,
} from '../domain/insights/unanswered-questions.ts';
import { builder } from './builder.ts';
import { connectionFromArray } from './connection-from-array.ts';
import { fieldsSchema, optionalDateTime } from './input-rules.ts';
import { createPageType, pageArgumentSchemas, pageArguments } from './page-type.ts';

const UnansweredQuestion = builder.objectRef<Question>('UnansweredQuestion').implement({
  description:
    'Question of one or more end users whose answer had low confidence or was rated DOWN.',
  fields: (t) => ({
    question: t.exposeString('question', {
      description: 'Text of the question in its most frequent wording.',
    }),
    count: t.exposeInt('count', { description: 'Number of times that the question was asked.' }),
    badFeedbackCount: t.exposeInt('badFeedbackCount', {
      description: 'Number of answers to the question that were rated DOWN.',
    }),
    lastAskedAt: t.expose('lastAskedAt', { type: 'DateTime' }),
    conversationIds: t.idList({
      description: 'The latest conversations with the question, at most five.',
      resolve: ({ conversationIds }) => [...conversationIds],
    }),
  }),
});

const UnansweredQuestionPage = createPageType('UnansweredQuestionPage', UnansweredQuestion);

builder.queryFields((t) => ({
  unansweredQuestionPage: t.field({
    type: UnansweredQuestionPage,
    description: 'The same questions as `unansweredQuestions`, by page number.',
    args: {
      projectId: t.arg.id({ required: true }),
      since: t.arg({
        type: 'DateTime',
        description: 'Ignore questions asked before this time. Default: 30 days ago.',
      }),
      ...pageArguments,
    },
    validate: fieldsSchema({ since: optionalDateTime, ...pageArgumentSchemas }),
    authScopes: { permission: 'conversations:read' },
    resolve: (_root, args, context) => listUnansweredQuestionsByPage(context, args),
  }),
  unansweredQuestions: t.connection({
    type: UnansweredQuestion,
    description:
      "Questions that a project's knowledge did not answer well, grouped by meaning, most frequent first. Covers the latest 500 questions.",
    args: {
      projectId: t.arg.id({ required: true }),
      since: t.arg({
        type: 'DateTime',
        description: 'Ignore questions asked before this time. Default: 30 days ago.',
      }),
    },
    validate: fieldsSchema({ since: optionalDateTime }),
    authScopes: { permission: 'conversations:read' },
    resolve: async (_root, args, context) =>
      connectionFromArray(
        args,
        await listUnansweredQuestions(context, args),
        ({ messageIds }, id) => messageIds.includes(id),
      ),
  }),
}));
