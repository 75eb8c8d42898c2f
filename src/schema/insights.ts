import {
  listUnansweredQuestions,
  type UnansweredQuestion as Question,
} from '../domain/insights/unanswered-questions.ts';
import { builder } from './builder.ts';
import { connectionOf } from './list-connection.ts';
import { moment, rules } from './text-rules.ts';

const UnansweredQuestion = builder.objectRef<Question>('UnansweredQuestion').implement({
  description:
    'What end users have asked, in one wording or another, and got no answer to, an unsure one, or one they rated as bad.',
  fields: (t) => ({
    question: t.exposeString('question', {
      description: 'In the words in which it was asked most often.',
    }),
    count: t.exposeInt('count', { description: 'How many times it was asked.' }),
    badFeedbackCount: t.exposeInt('badFeedbackCount', {
      description: 'How many of its answers a reader has rated as bad.',
    }),
    lastAskedAt: t.expose('lastAskedAt', { type: 'DateTime', description: 'The last time.' }),
    conversationIds: t.idList({
      description: 'Where it was asked, the latest five.',
      resolve: ({ conversationIds }) => [...conversationIds],
    }),
  }),
});

builder.queryField('unansweredQuestions', (t) =>
  t.connection({
    type: UnansweredQuestion,
    description:
      "End users' questions that a project's knowledge did not answer well, grouped by what they mean, the most frequent first. Looks at the latest 500.",
    args: {
      projectId: t.arg.id({ required: true, description: 'The project.' }),
      since: t.arg({
        type: 'DateTime',
        description: 'The least time of asking. 30 days ago when left out.',
      }),
    },
    validate: rules({ since: moment }),
    authScopes: { permission: 'conversations:read' },
    resolve: async (_root, args, context) =>
      connectionOf(args, await listUnansweredQuestions(context, args), ({ messageIds }, id) =>
        messageIds.includes(id),
      ),
  }),
);
