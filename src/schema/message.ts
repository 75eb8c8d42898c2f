import { stopAnswer } from '../domain/chat/stop-answer.ts';
import { storedCitations } from '../domain/conversations/messages.ts';
import {
  MessageRole as Roles,
  MessageStatus as Statuses,
} from '../domain/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { Citation } from './chat.ts';
import { MessageFeedback } from './feedback.ts';

export const MessageRole = builder.enumType('MessageRole', {
  description:
    'Who speaks: the end USER, the ASSISTANT, an AGENT of the team, or the SYSTEM, which is this service.',
  values: {
    [Roles.USER]: { description: 'The end user.' },
    [Roles.ASSISTANT]: { description: 'The assistant.' },
    [Roles.AGENT]: { description: 'A person of the team.' },
    [Roles.SYSTEM]: { description: 'This service.' },
  },
});

export const MessageStatus = builder.enumType('MessageStatus', {
  description:
    'An answer is GENERATING, then COMPLETED, STOPPED by its reader, or FAILED. What others say is COMPLETED.',
  values: {
    [Statuses.GENERATING]: { description: 'It is being written.' },
    [Statuses.COMPLETED]: { description: 'It is complete.' },
    [Statuses.STOPPED]: { description: 'Its reader has ended it or left.' },
    [Statuses.FAILED]: { description: 'It broke off.' },
  },
});

export const Message = builder.prismaObject('Message', {
  description: 'What was said in a conversation, at one time, by one side.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the message.' }),
    role: t.expose('role', { type: MessageRole, description: 'Who speaks.' }),
    status: t.expose('status', { type: MessageStatus, description: 'Whether it is complete.' }),
    content: t.exposeString('content', { description: 'Empty while the answer is generated.' }),
    citations: t.field({
      type: [Citation],
      description: 'The grounds of an answer, best first.',
      select: { citations: true },
      resolve: (message) => [...storedCitations(message)],
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description:
        "Probability that the project's knowledge supports the answer, 0 to 1. Answers only.",
    }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true, description: 'Answers only.' }),
    feedback: t.relation('feedback', {
      type: MessageFeedback,
      nullable: true,
      description: 'What a reader thinks of it. Answers only.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was written or, of an answer, begun.',
    }),
  }),
});

const StopAnswerInput = builder.inputType('StopAnswerInput', {
  description: 'An answer to be ended.',
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    messageId: t.id({ required: true, description: 'An answer of the assistant.' }),
  }),
});

builder.mutationField('stopAnswer', (t) =>
  t.prismaField({
    type: Message,
    description:
      'Ends an answer that is being generated with what there is of it. One that has ended is left as it is.',
    args: {
      input: t.arg({ type: StopAnswerInput, required: true, description: 'Which answer.' }),
    },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => stopAnswer(context, input, query),
  }),
);
