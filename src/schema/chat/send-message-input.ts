import { z } from 'zod';
import type { ChatInput } from '../../domain/chat/chat-input.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, nonBlankText, optionalEndUserId } from '../input-rules.ts';

const HistoryMessageInput = builder.inputType('HistoryMessageInput', {
  description: 'An earlier message of a conversation.',
  validate: fieldsSchema({ content: nonBlankText(32_000) }),
  fields: (t) => ({
    isAnswer: t.boolean({
      required: true,
      description: 'Whether the assistant wrote the message. Otherwise the end user wrote it.',
    }),
    content: t.string({ required: true, description: 'Text, 1 to 32,000 characters.' }),
  }),
});

export const SendMessageInput = builder.inputType('SendMessageInput', {
  validate: fieldsSchema({
    message: nonBlankText(4000),
    endUserId: optionalEndUserId,
    history: z.array(z.unknown()).max(1_000, 'must have at most 1000 entries').nullish(),
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    message: t.string({
      required: true,
      description: 'Text of the message, 1 to 4,000 characters.',
    }),
    conversationId: t.id({
      description: 'Conversation to continue. Omit to start a new conversation.',
    }),
    endUserId: t.string({
      description: "The caller's stable identifier of the end user, 1 to 128 printable characters.",
    }),
    history: t.field({
      type: [HistoryMessageInput],
      description:
        'Earlier messages, oldest first, of a conversation that the client stores itself. At most 1,000, of which the last 12 are used. Default: the stored messages of the conversation.',
    }),
    filter: t.field({
      type: 'DocumentFilter',
      description:
        'The documents to answer from. Applies to this message only: send it with each follow-up. Default: all.',
    }),
    resumable: t.boolean({
      description:
        'If true, generation continues when the client disconnects, and `resumeAnswer` streams the rest. Default: false.',
    }),
  }),
});

/** Returns the input for the domain's chat functions. */
export function chatInput({ history, ...input }: typeof SendMessageInput.$inferInput): ChatInput {
  const messages = history?.map(({ isAnswer, content }) => ({
    role: isAnswer ? ('ASSISTANT' as const) : ('USER' as const),
    content,
  }));
  return { ...input, history: messages };
}
