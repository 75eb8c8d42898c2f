import { stopAnswer } from '../domain/chat/stop-answer.ts';
import { storedCitations } from '../domain/conversations/messages.ts';
import {
  MessageRole as Roles,
  MessageStatus as Statuses,
} from '../domain/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { Citation } from './chat.ts';

const MessageRole = builder.enumType('MessageRole', {
  description:
    'Who speaks: the end USER, the ASSISTANT, an AGENT of the team, or the SYSTEM, which is this service.',
  values: Object.values(Roles),
});

const MessageStatus = builder.enumType('MessageStatus', {
  description:
    'An answer is GENERATING, then COMPLETED, STOPPED by its reader, or FAILED. What others say is COMPLETED.',
  values: Object.values(Statuses),
});

export const Message = builder.prismaObject('Message', {
  description: 'What was said in a conversation, at one time, by one side.',
  fields: (t) => ({
    id: t.exposeID('id'),
    role: t.expose('role', { type: MessageRole }),
    status: t.expose('status', { type: MessageStatus }),
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
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const StopAnswerInput = builder.inputType('StopAnswerInput', {
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
    args: { input: t.arg({ type: StopAnswerInput, required: true }) },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => stopAnswer(context, input, query),
  }),
);
