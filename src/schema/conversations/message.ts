import { stopAnswer } from '../../domain/chat/runs/stop-answer.ts';
import { storedCitations } from '../../domain/conversations/messages.ts';
import {
  MessageRole as Roles,
  MessageStatus as Statuses,
} from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { Citation } from '../chat/chat.ts';
import { FinishReason } from '../chat/finish-reason.ts';
import { Intent } from '../chat/intent.ts';
import { MessageFeedback } from '../feedback.ts';
import { Node } from '../node.ts';

export const MessageRole = builder.enumType('MessageRole', {
  description: 'Author of a message.',
  values: {
    [Roles.USER]: { description: 'The end user.' },
    [Roles.ASSISTANT]: { description: "The project's assistant." },
    [Roles.AGENT]: { description: 'A team member.' },
    [Roles.SYSTEM]: { description: 'The service itself, for example for a holding message.' },
  },
});

const MessageStatus = builder.enumType('MessageStatus', {
  description:
    'State of a message. Only messages of the role ASSISTANT can have a state other than COMPLETED.',
  values: {
    [Statuses.GENERATING]: { description: 'The answer is being generated.' },
    [Statuses.COMPLETED]: { description: 'The text is complete.' },
    [Statuses.STOPPED]: {
      description:
        'The answer was stopped, or the client disconnected from an answer that is not resumable.',
    },
    [Statuses.FAILED]: { description: 'The answer failed before it was complete.' },
  },
});

export const Message = builder.prismaObject('Message', {
  description: 'A message of a conversation.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    role: t.expose('role', { type: MessageRole }),
    status: t.expose('status', { type: MessageStatus }),
    content: t.exposeString('content', {
      description: 'Text of the message. Empty while an answer is generated.',
    }),
    citations: t.field({
      type: [Citation],
      description: 'Chunks that an answer cites. The marker `[n]` refers to the nth of them.',
      resolve: (message) => [...storedCitations(message)],
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description:
        "Probability that the project's knowledge supports the answer, 0 to 1. Null for other messages.",
    }),
    finishReason: t.expose('finishReason', {
      type: FinishReason,
      nullable: true,
      description:
        'Why the chat model stopped. Null for other messages, and if no model finished the answer.',
    }),
    latencyMs: t.exposeInt('latencyMs', {
      nullable: true,
      description:
        'Time from the question to the complete answer, in milliseconds. Null for other messages.',
    }),
    intent: t.expose('intent', {
      type: Intent,
      nullable: true,
      description:
        'Kind of small talk, on the message of the end user and on the reply. Null for questions and their answers.',
    }),
    feedback: t.relation('feedback', {
      type: MessageFeedback,
      nullable: true,
      description: 'Rating of the answer. Null if not rated.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description:
        'Time when the message was stored. For answers, the time when generation started.',
    }),
  }),
});

const StopAnswerInput = builder.inputType('StopAnswerInput', {
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    messageId: t.id({
      required: true,
      description: 'Id of the answer: `messageId` of `ChatMeta`.',
    }),
  }),
});

builder.mutationField('stopAnswer', (t) =>
  t.prismaField({
    type: Message,
    description:
      'Stops an answer that is being generated and keeps the partial text. A finished answer is returned unchanged.',
    args: { input: t.arg({ type: StopAnswerInput, required: true }) },
    authScopes: { permission: 'chat' },
    resolve: (query, _root, { input }, context) => stopAnswer(context, input, query),
  }),
);
