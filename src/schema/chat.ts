import { answer } from '../domain/chat/answer.ts';
import type { ChatEvent as Event, ChatReply as Reply } from '../domain/chat/chat-event.ts';
import type { Citation as CitationShape } from '../domain/chat/citations.ts';
import { resumeAnswer } from '../domain/chat/resume-answer.ts';
import { sendMessage } from '../domain/chat/send-message.ts';
import { type Context, endedFor } from '../domain/context.ts';
import { builder } from './builder.ts';
import { endUserIdText, rules, text, wholeNumber } from './text-rules.ts';

export const Citation = builder.objectRef<CitationShape>('Citation').implement({
  description:
    'A chunk that the answer was grounded on. Markers `[n]` in the answer count from 1 in this list.',
  fields: (t) => ({
    documentId: t.exposeID('documentId', { description: 'The document.' }),
    documentName: t.exposeString('documentName', { description: 'What it is called.' }),
    chunkId: t.exposeID('chunkId', { description: 'The chunk of the document.' }),
    score: t.exposeFloat('score', { description: 'Relevance of the chunk, 0 to 1.' }),
    quote: t.exposeString('quote', {
      nullable: true,
      description: 'The words of the chunk, verbatim, that support the answer best.',
    }),
    page: t.exposeInt('page', { nullable: true, description: 'Counted from 1; PDF only.' }),
    startOffset: t.exposeInt('startOffset', {
      description: "In Unicode code points of the document's extracted text.",
    }),
    endOffset: t.exposeInt('endOffset', { description: 'Where the chunk ends, not included.' }),
  }),
});

const ChatReply = builder.objectRef<Reply>('ChatReply').implement({
  description: 'An answer with its grounds.',
  fields: (t) => ({
    conversationId: t.exposeID('conversationId', {
      description: 'To be sent along with the next message.',
    }),
    messageId: t.exposeID('messageId', { description: 'Of the answer.' }),
    content: t.exposeString('content', { description: 'The answer.' }),
    citations: t.field({
      type: [Citation],
      description: 'Its grounds, best first.',
      resolve: ({ citations }) => [...citations],
    }),
    confidence: t.exposeFloat('confidence', {
      description: "Probability that the project's knowledge supports the answer, 0 to 1.",
    }),
    latencyMs: t.exposeInt('latencyMs', {
      description: 'From the question to the end of the answer.',
    }),
  }),
});

type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

export const ChatMeta = builder.objectRef<EventOf<'meta'>>('ChatMeta').implement({
  description: 'The first event: where the answer will stand.',
  fields: (t) => ({
    conversationId: t.exposeID('conversationId', {
      description: 'To be sent along with the next message.',
    }),
    messageId: t.exposeID('messageId', { description: 'Of the answer.' }),
  }),
});

const ChatSources = builder.objectRef<EventOf<'sources'>>('ChatSources').implement({
  description: 'What was retrieved, before the answer is generated.',
  fields: (t) => ({
    citations: t.field({
      type: [Citation],
      description: 'What the answer is made from, best first.',
      resolve: ({ citations }) => [...citations],
    }),
    confidence: t.exposeFloat('confidence', {
      description: 'Probability that they hold the answer, 0 to 1.',
    }),
  }),
});

export const ChatDelta = builder.objectRef<EventOf<'delta'>>('ChatDelta').implement({
  description: 'A piece of the answer. All pieces in order are the answer.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Follows the piece before at once.' }),
  }),
});

const ChatDone = builder.objectRef<EventOf<'done'>>('ChatDone').implement({
  description: 'The last event of an answer that is complete.',
  fields: (t) => ({
    reply: t.field({
      type: ChatReply,
      description: 'The answer as it is stored.',
      resolve: ({ reply }) => reply,
    }),
  }),
});

export const ChatError = builder.objectRef<EventOf<'error'>>('ChatError').implement({
  description: 'The last event of an answer that broke off.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'Safe to show.' }),
    code: t.exposeString('code', { description: 'As in `extensions.code` of errors.' }),
    retryable: t.exposeBoolean('retryable', {
      description: 'Whether the same question may be answered later.',
    }),
  }),
});

const typeNames = {
  meta: 'ChatMeta',
  sources: 'ChatSources',
  delta: 'ChatDelta',
  done: 'ChatDone',
  error: 'ChatError',
} as const satisfies Record<Event['type'], string>;

const ChatEvent = builder.unionType('ChatEvent', {
  description: 'ChatMeta, ChatSources, any number of ChatDelta, then ChatDone or ChatError.',
  types: [ChatMeta, ChatSources, ChatDelta, ChatDone, ChatError],
  resolveType: ({ type }) => typeNames[type],
});

const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'What an end user says.',
  validate: rules({ message: text(4000), endUserId: endUserIdText }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    message: t.string({ required: true, description: 'At most 4,000 characters.' }),
    conversationId: t.id({ description: 'Left out: a new conversation.' }),
    endUserId: t.string({
      description: "The caller's stable name for the end user.",
    }),
    resumable: t.boolean({
      description:
        'The answer goes on to its end without its reader, who may come back to it with `resumeAnswer`.',
    }),
  }),
});

builder.mutationField('sendMessage', (t) =>
  t.field({
    type: ChatReply,
    description: "Asks the project's assistant and waits for the whole answer.",
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'The message.' }) },
    authScopes: { permission: 'chat' },
    resolve: (_root, { input }, context) => sendMessage(context, input),
  }),
);

builder.subscriptionField('chat', (t) =>
  t.field({
    type: ChatEvent,
    description: "Asks the project's assistant and follows the answer as it is made.",
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'The message.' }) },
    authScopes: { permission: 'chat' },
    subscribe: (_root, { input }, context) => started(context, answer(context, input)),
    resolve: (event) => event,
  }),
);

const ResumeAnswerInput = builder.inputType('ResumeAnswerInput', {
  description: 'An answer to be followed again.',
  validate: rules({ after: wholeNumber(0, 2_147_483_647) }),
  fields: (t) => ({
    projectId: t.id({ description: 'May be left out with a project-scoped key.' }),
    messageId: t.id({ required: true, description: 'Of ChatMeta.' }),
    after: t.int({
      description: 'The last event that is known, counted from 0. Left out: from the first one on.',
    }),
  }),
});

builder.subscriptionField('resumeAnswer', (t) =>
  t.field({
    type: ChatEvent,
    description:
      'Follows a resumable answer again, from any event on, until ten minutes after its end. Broken off without ChatDone or ChatError, it can be followed again.',
    args: {
      input: t.arg({ type: ResumeAnswerInput, required: true, description: 'Which answer.' }),
    },
    authScopes: { permission: 'chat' },
    subscribe: (_root, { input }, context) => resumeAnswer(context, input),
    resolve: (event) => event,
  }),
);

/**
 * Waits for the first event, so that what fails before it is an error of the operation and not of a stream.
 * Nobody may ever read the rest: servers drop it unread when their client has left meanwhile. So `events` is
 * ended with the signal, and not by the `finally` of a generator, which does not run before the first read.
 */
async function started<T>(
  { signal, log }: Context,
  events: AsyncGenerator<T, void, undefined>,
): Promise<AsyncIterable<T>> {
  const end = () => {
    if (endedFor(signal) !== null) return;
    events.return(undefined).catch((error: unknown) => log.error({ err: error }, 'answer lost'));
  };
  let first: IteratorResult<T, void> | null = await events.next();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const rest: AsyncIterator<T, void, undefined> = {
    next() {
      const event = first;
      first = null;
      return event === null ? events.next() : Promise.resolve(event);
    },
    return: () => events.return(undefined),
  };
  return { [Symbol.asyncIterator]: () => rest };
}
