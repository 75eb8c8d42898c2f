import type { Context } from '../../domain/context.ts';
import { graphql, run, type SchemaCall, watch } from '../execute.ts';
import type { ObjectSchema } from '../operations.ts';
import type { Frame } from '../sse.ts';

/** What the widget can ask for beside the start of a visit, each at a path of its name. */
export interface VisitorOperation {
  /** What it costs of the points that a visitor has for a minute. */
  readonly points: number;
  readonly body: ObjectSchema;
  /** Answers with JSON, or with a stream of events. */
  readonly answer:
    | { readonly type: 'json'; run(call: VisitorCall, input: object): Promise<object> }
    | { readonly type: 'stream'; watch(call: VisitorCall, input: object): Promise<Frames> };
}

export type VisitorCall = SchemaCall & { readonly context: Context };
type Frames = AsyncIterator<Frame, undefined>;

const id = { type: 'string', minLength: 36, maxLength: 36 } as const;

/** The lengths bound what is read of a body; the schema's own rules are stricter, and have the words. */
export const visitorOperations: Readonly<Record<string, VisitorOperation>> = {
  messages: {
    points: 4,
    body: object({ message: { type: 'string', maxLength: 4_000 }, conversationId: id }, [
      'message',
    ]),
    answer: stream(async (call, input) => {
      const events = await watch(call, chatDocument, { input });
      return mapped(events, ({ visitorChat }) => chatFrame(visitorChat));
    }),
  },
  stop: {
    points: 1,
    body: object({ messageId: id }, ['messageId']),
    answer: json((call, input) => run(call, stopDocument, { input })),
  },
  conversation: {
    points: 1,
    body: object({ conversationId: id }, ['conversationId']),
    answer: json(
      async (call, input) => (await run(call, conversationDocument, input)).conversation,
    ),
  },
  updates: {
    points: 1,
    body: object({ conversationId: id }, ['conversationId']),
    answer: stream(async (call, input) => {
      const updates = await watch(call, updatesDocument, input);
      return mapped(updates, ({ conversation }) => ({ type: 'conversation', ...conversation }));
    }),
  },
  handoff: {
    points: 5,
    body: object(
      {
        conversationId: id,
        name: { type: 'string', maxLength: 200 },
        email: { type: 'string', maxLength: 254 },
        reason: { type: 'string', maxLength: 2_000 },
      },
      ['conversationId'],
    ),
    answer: json(async (call, input) => (await run(call, handoffDocument, { input })).conversation),
  },
  feedback: {
    points: 1,
    body: object({ messageId: id, rating: { type: 'string', enum: ['UP', 'DOWN'] } }, [
      'messageId',
      'rating',
    ]),
    answer: json(async (call, input) => (await run(call, feedbackDocument, { input })).feedback),
  },
};

function object(properties: ObjectSchema['properties'], required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

function json(run: (call: VisitorCall, input: object) => Promise<object>) {
  return { type: 'json', run } as const;
}

function stream(watch: (call: VisitorCall, input: object) => Promise<Frames>) {
  return { type: 'stream', watch } as const;
}

function mapped<Event>(
  events: AsyncIterator<Event, undefined>,
  frameOf: (event: Event) => Frame,
): Frames {
  return {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value: undefined } : { done: false, value: frameOf(value) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

const citationFields = 'number documentName quote';
const conversationFields = `
  id status outOfHoursText messages {
    id position role status content citations { ${citationFields} } rating createdAt
  }
`;

type ChatEvent =
  | { readonly __typename: 'ChatMeta' | 'ChatDelta' | 'ChatError' }
  | { readonly __typename: 'VisitorDone'; readonly reply: object };

function chatFrame(event: ChatEvent): Frame {
  if (event.__typename === 'VisitorDone') return { type: 'done', ...event.reply };
  const { __typename, ...fields } = event;
  return { type: chatFrameTypes[__typename], ...fields };
}

const chatFrameTypes = { ChatMeta: 'meta', ChatDelta: 'delta', ChatError: 'error' } as const;

const chatDocument = graphql<{ readonly visitorChat: ChatEvent }>(`
  subscription visitorChat($input: VisitorMessageInput!) {
    visitorChat(input: $input) {
      __typename
      ... on ChatMeta { conversationId messageId }
      ... on ChatDelta { text }
      ... on VisitorDone { reply { messageId content citations { ${citationFields} } } }
      ... on ChatError { message code retryable }
    }
  }
`);

const stopDocument = graphql<{ readonly status: string }>(`
  mutation stopVisitorAnswer($input: StopVisitorAnswerInput!) {
    status: stopVisitorAnswer(input: $input)
  }
`);

const conversationDocument = graphql<{ readonly conversation: object }>(`
  query visitorConversation($conversationId: ID!) {
    conversation: visitorConversation(id: $conversationId) { ${conversationFields} }
  }
`);

const updatesDocument = graphql<{ readonly conversation: object }>(`
  subscription visitorConversationUpdated($conversationId: ID!) {
    conversation: visitorConversationUpdated(id: $conversationId) { ${conversationFields} }
  }
`);

const handoffDocument = graphql<{ readonly conversation: object }>(`
  mutation requestVisitorHandoff($input: VisitorHandoffInput!) {
    conversation: requestVisitorHandoff(input: $input) { ${conversationFields} }
  }
`);

const feedbackDocument = graphql<{ readonly feedback: object }>(`
  mutation giveVisitorFeedback($input: VisitorFeedbackInput!) {
    feedback: giveVisitorFeedback(input: $input) { rating }
  }
`);
