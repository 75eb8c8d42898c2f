import type { ChatEvent as Event, ChatReply as Reply } from '../../domain/chat/chat-event.ts';
import { resumeAnswer } from '../../domain/chat/runs/resume-answer.ts';
import { sendMessage } from '../../domain/chat/send-message.ts';
import { streamAnswer } from '../../domain/chat/stream-answer.ts';
import type { Citation as CitationShape } from '../../domain/conversations/citation.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalInteger } from '../input-rules.ts';
import { awaitFirstEvent } from '../serving/await-first-event.ts';
import { FinishReason } from './finish-reason.ts';
import { Intent } from './intent.ts';
import { chatInput, SendMessageInput } from './send-message-input.ts';

export const Citation = builder.objectRef<CitationShape>('Citation').implement({
  description:
    'A chunk that supports an answer. The citation marker `[n]` in the answer refers to the nth citation, counted from 1.',
  fields: (t) => ({
    documentId: t.exposeID('documentId'),
    documentName: t.exposeString('documentName'),
    chunkId: t.exposeID('chunkId'),
    score: t.exposeFloat('score', { description: 'Relevance of the chunk, 0 to 1.' }),
    quote: t.exposeString('quote', {
      nullable: true,
      description:
        'Verbatim passage of the chunk that best supports the answer. Null if there is none.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'Page of a PDF or slide of a presentation, from 1. Null for other formats.',
    }),
    startOffset: t.exposeInt('startOffset', {
      description: "Start of the chunk in the document's extracted text, in Unicode code points.",
    }),
    endOffset: t.exposeInt('endOffset', {
      description: 'End of the chunk, exclusive, in Unicode code points.',
    }),
    sourceUrl: t.string({
      nullable: true,
      description: 'Address of the document for readers. Null if there is none.',
      resolve: ({ sourceUrl }) => sourceUrl ?? null,
    }),
    metadata: t.field({
      type: 'JSON',
      description: 'Metadata of the document when the answer was written.',
      resolve: ({ metadata }) => metadata ?? {},
    }),
  }),
});

const ChatReply = builder.objectRef<Reply>('ChatReply').implement({
  description: 'A complete answer with its citations.',
  fields: (t) => ({
    conversationId: t.exposeID('conversationId', {
      description: 'Pass it with the next message to continue the conversation.',
    }),
    messageId: t.exposeID('messageId', { description: 'Id of the answer, to rate it.' }),
    content: t.exposeString('content', {
      description:
        'Text of the answer. While a team member owns the conversation: the holding message.',
    }),
    citations: t.field({
      type: [Citation],
      description: 'Chunks that the answer cites. The marker `[n]` refers to the nth of them.',
      resolve: ({ citations }) => [...citations],
    }),
    confidence: t.exposeFloat('confidence', {
      description: "Probability that the project's knowledge supports the answer, 0 to 1.",
    }),
    latencyMs: t.exposeInt('latencyMs', {
      description: 'Time from the question to the complete answer, in milliseconds.',
    }),
    correctedQuestion: t.exposeString('correctedQuestion', {
      nullable: true,
      description:
        'The message with misspelled words replaced by words of the documents, as it was searched. Null if nothing was corrected.',
    }),
    intent: t.expose('intent', {
      type: Intent,
      nullable: true,
      description: 'Kind of small talk. Null if the message is a question.',
    }),
    finishReason: t.field({
      type: FinishReason,
      nullable: true,
      description: 'Why the chat model stopped. Null if no chat model finished the answer.',
      resolve: ({ finishReason }) => finishReason ?? null,
    }),
    inputTokens: t.int({
      description:
        'Input tokens of the chat model, including the rewriting of a follow-up. 0 if it was not called.',
      resolve: ({ usage }) => usage?.inputTokens ?? 0,
    }),
    outputTokens: t.int({
      description: 'Output tokens of the chat model. 0 if it was not called.',
      resolve: ({ usage }) => usage?.outputTokens ?? 0,
    }),
  }),
});

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

const ChatMeta = builder.objectRef<EventOf<'meta'>>('ChatMeta').implement({
  description: 'First event of an answer: ids of the conversation and of the answer.',
  fields: (t) => ({
    conversationId: t.exposeID('conversationId', {
      description: 'Pass it with the next message to continue the conversation.',
    }),
    messageId: t.exposeID('messageId', {
      description: 'Id of the answer, to rate, stop or resume it.',
    }),
  }),
});

const ChatSources = builder.objectRef<EventOf<'sources'>>('ChatSources').implement({
  description: 'Retrieved chunks, sent before the answer is generated.',
  fields: (t) => ({
    citations: t.field({
      type: [Citation],
      description:
        'Chunks that the answer is generated from, best first. Markers in ChatDelta refer to the citations of ChatDone.',
      resolve: ({ citations }) => [...citations],
    }),
    confidence: t.exposeFloat('confidence', {
      description: 'Probability that these chunks contain the answer, 0 to 1.',
    }),
    correctedQuestion: t.string({
      nullable: true,
      description:
        'The message with misspelled words replaced by words of the documents, as it was searched. Null if nothing was corrected.',
      resolve: ({ correctedQuestion }) => correctedQuestion ?? null,
    }),
  }),
});

const ChatDelta = builder.objectRef<EventOf<'delta'>>('ChatDelta').implement({
  description: 'Part of the answer text. All parts concatenated in order are the answer.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'Text to append to the previous parts without a separator.',
    }),
  }),
});

const ChatDone = builder.objectRef<EventOf<'done'>>('ChatDone').implement({
  description: 'Last event of a completed answer.',
  fields: (t) => ({
    reply: t.field({
      type: ChatReply,
      description: 'The complete answer as stored.',
      resolve: ({ reply }) => reply,
    }),
  }),
});

const ChatError = builder.objectRef<EventOf<'error'>>('ChatError').implement({
  description: 'Last event of an answer that failed.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'Human-readable error, safe to display.' }),
    code: t.exposeString('code', {
      description: 'Error code, as in `extensions.code` of GraphQL errors.',
    }),
    retryable: t.exposeBoolean('retryable', {
      description: 'Whether the same question may succeed later.',
    }),
  }),
});

const chatEventTypes = {
  meta: 'ChatMeta',
  sources: 'ChatSources',
  delta: 'ChatDelta',
  done: 'ChatDone',
  error: 'ChatError',
} as const satisfies Record<Event['type'], string>;

const ChatEvent = builder.unionType('ChatEvent', {
  description:
    'Event of a streamed answer. Order: ChatMeta, ChatSources, any number of ChatDelta, then ChatDone or ChatError.',
  types: [ChatMeta, ChatSources, ChatDelta, ChatDone, ChatError],
  resolveType: ({ type }) => chatEventTypes[type],
});

builder.mutationField('sendMessage', (t) =>
  t.field({
    type: ChatReply,
    description: "Sends a message to the project's assistant and returns the complete answer.",
    args: { input: t.arg({ type: SendMessageInput, required: true }) },
    authScopes: { permission: 'chat' },
    resolve: (_root, { input }, context) => sendMessage(context, chatInput(input)),
  }),
);

builder.subscriptionField('chat', (t) =>
  t.field({
    type: ChatEvent,
    description: "Sends a message to the project's assistant and streams the answer.",
    args: { input: t.arg({ type: SendMessageInput, required: true }) },
    authScopes: { permission: 'chat' },
    subscribe: (_root, { input }, context) =>
      awaitFirstEvent(context, streamAnswer(context, chatInput(input))),
    resolve: (event) => event,
  }),
);

const ResumeAnswerInput = builder.inputType('ResumeAnswerInput', {
  validate: fieldsSchema({ after: optionalInteger(0, 2_147_483_647) }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    messageId: t.id({ required: true, description: 'The `messageId` of ChatMeta.' }),
    after: t.int({
      description: 'Index of the last received event, counted from 0. Omit to receive all events.',
    }),
  }),
});

builder.subscriptionField('resumeAnswer', (t) =>
  t.field({
    type: ChatEvent,
    description:
      'Streams a resumable answer from the event after `after`. Available until ten minutes after the answer finished. If the stream ends without ChatDone or ChatError, resume it again.',
    args: { input: t.arg({ type: ResumeAnswerInput, required: true }) },
    authScopes: { permission: 'chat' },
    subscribe: (_root, { input }, context) => resumeAnswer(context, input),
    resolve: (event) => event,
  }),
);
