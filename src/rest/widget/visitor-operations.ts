import type { Context } from '../../domain/context.ts';
import type { SseEvent } from '../../http/send-events.ts';
import {
  deltaTextOf,
  executeGraphql,
  type GraphqlCall,
  graphql,
  subscribeGraphql,
} from '../graphql/execute-graphql.ts';
import type { ObjectSchema } from '../request/operations.ts';
import { type BodyOf, object } from './body-schema.ts';

/** An operation of the widget. Its path is its name. The start of a visit is not one of these operations. */
export interface VisitorOperation {
  /** Cost of one request, in points of the visitor's rate limit per minute. */
  readonly points: number;
  readonly body: ObjectSchema;
  /** Returns JSON or a stream of events. */
  readonly handler:
    | { readonly type: 'json'; run(call: VisitorCall, input: object): Promise<object> }
    | { readonly type: 'stream'; watch(call: VisitorCall, input: object): Promise<SseEvents> };
}

export type VisitorCall = GraphqlCall & { readonly context: Context };
type SseEvents = AsyncIterator<SseEvent, undefined>;

/** The same rule as in GraphQL for an end user's id: no control characters and no invisible formatting characters. */
const printable = '^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]*$';

const userId = { type: 'string', minLength: 1, maxLength: 128, pattern: printable } as const;

const id = { type: 'string', minLength: 36, maxLength: 36 } as const;

/**
 * These lengths only limit how much of a body is read. The GraphQL schema has stricter rules, with an error message for
 * each.
 */
export const visitorOperations: Readonly<Record<string, VisitorOperation>> = {
  messages: {
    points: 4,
    ...stream(
      object(
        {
          message: { type: 'string', maxLength: 4_000 },
          conversationId: id,
          name: { type: 'string', maxLength: 200 },
          email: { type: 'string', maxLength: 254 },
        },
        ['message'],
      ),
      async (call, input) => {
        const events = await subscribeGraphql(call, chatSubscription, { input }, (event) => {
          const visitorChat = readVisitorDelta(event);
          return visitorChat && { visitorChat };
        });
        return mapIterator(events, ({ visitorChat }) => toSseEvent(visitorChat));
      },
    ),
  },
  stop: {
    points: 1,
    ...json(object({ messageId: id }, ['messageId']), (call, input) =>
      executeGraphql(call, stopAnswerMutation, { input }),
    ),
  },
  conversation: {
    points: 1,
    ...json(
      object({ conversationId: id }, ['conversationId']),
      async (call, input) => (await executeGraphql(call, conversationQuery, input)).conversation,
    ),
  },
  conversations: {
    points: 1,
    ...json(object({}, []), async (call) => executeGraphql(call, conversationsQuery, {})),
  },
  updates: {
    points: 1,
    ...stream(object({ conversationId: id }, []), async (call, input) => {
      const updates = await subscribeGraphql(call, updatesSubscription, input);
      return mapIterator(updates, ({ update: { conversation, teamConversations } }) => ({
        type: conversation === null ? 'teamConversations' : 'conversation',
        ...conversation,
        teamConversations,
      }));
    }),
  },
  typing: {
    points: 1,
    ...json(
      object({ conversationId: id, isTyping: { type: 'boolean' } }, ['conversationId']),
      (call, input) => executeGraphql(call, signalTypingMutation, { input }),
    ),
  },
  handoff: {
    points: 5,
    ...json(
      object(
        {
          conversationId: id,
          name: { type: 'string', maxLength: 200 },
          email: { type: 'string', maxLength: 254 },
          reason: { type: 'string', maxLength: 2_000 },
        },
        ['conversationId'],
      ),
      async (call, input) =>
        (await executeGraphql(call, requestHandoffMutation, { input })).conversation,
    ),
  },
  feedback: {
    points: 1,
    ...json(
      object({ messageId: id, rating: { type: 'string', enum: ['UP', 'DOWN'] } }, [
        'messageId',
        'rating',
      ]),
      async (call, input) => (await executeGraphql(call, giveFeedbackMutation, { input })).feedback,
    ),
  },
  satisfaction: {
    points: 5,
    ...json(
      object(
        {
          handoffId: id,
          rating: { type: 'integer', minimum: 1, maximum: 5 },
          comment: { type: 'string', maxLength: 2_000 },
        },
        ['handoffId', 'rating'],
      ),
      async (call, input) =>
        (await executeGraphql(call, rateHandoffMutation, { input })).satisfaction,
    ),
  },
};

/** Body of the start of a visit. It contains the user whose id the website has signed, or no user. */
export const visitBody = object(
  {
    userId,
    userHash: { type: 'string', maxLength: 200 },
  },
  [],
);

function json<Body extends ObjectSchema>(
  body: Body,
  run: (call: VisitorCall, input: BodyOf<Body>) => Promise<object>,
) {
  return { body, handler: { type: 'json', run } } as const;
}

function stream<Body extends ObjectSchema>(
  body: Body,
  watch: (call: VisitorCall, input: BodyOf<Body>) => Promise<SseEvents>,
) {
  return { body, handler: { type: 'stream', watch } } as const;
}

function mapIterator<Event>(
  events: AsyncIterator<Event, undefined>,
  toEvent: (event: Event) => SseEvent,
): SseEvents {
  return {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value: undefined } : { done: false, value: toEvent(value) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

const citationFields = 'number documentName quote sourceUrl';
const satisfactionFields = 'handoffId rating comment';
const conversationFields = `
  id status outOfHoursText isTeamTyping satisfaction { ${satisfactionFields} } messages {
    id position role status content citations { ${citationFields} } rating createdAt
  }
` as const;

type VisitorChatEvent =
  | { readonly __typename: 'ChatMeta' | 'ChatError' }
  | { readonly __typename: 'ChatDelta'; readonly text: string }
  | { readonly __typename: 'VisitorDone'; readonly reply: object };

/**
 * Returns the result of an event that is a part of the text. Returns null for other events, which `subscribeGraphql`
 * must execute.
 */
function readVisitorDelta(event: unknown): VisitorChatEvent | null {
  const text = deltaTextOf(event);
  return text === null ? null : { __typename: 'ChatDelta', text };
}

function toSseEvent(event: VisitorChatEvent): SseEvent {
  if (event.__typename === 'VisitorDone') return { type: 'done', ...event.reply };
  const { __typename, ...fields } = event;
  return { type: sseEventTypes[__typename], ...fields };
}

const sseEventTypes = { ChatMeta: 'meta', ChatDelta: 'delta', ChatError: 'error' } as const;

const chatSubscription = graphql(`
  subscription visitorChat($input: VisitorMessageInput!) {
    visitorChat(input: $input) {
      __typename
      ... on ChatMeta { conversationId messageId }
      ... on ChatDelta { text }
      ... on VisitorDone { reply { messageId content citations { ${citationFields} } conversationStatus } }
      ... on ChatError { message code retryable }
    }
  }
`);

const stopAnswerMutation = graphql(`
  mutation stopVisitorAnswer($input: StopVisitorAnswerInput!) {
    status: stopVisitorAnswer(input: $input)
  }
`);

const conversationQuery = graphql(`
  query visitorConversation($conversationId: ID!) {
    conversation: visitorConversation(id: $conversationId) { ${conversationFields} }
  }
`);

const conversationsQuery = graphql(`
  query visitorConversations {
    conversations: visitorConversations { id title status lastMessageAt teamPositions }
  }
`);

const updatesSubscription = graphql(`
  subscription visitorUpdated($conversationId: ID) {
    update: visitorUpdated(conversationId: $conversationId) {
      conversation { ${conversationFields} }
      teamConversations { id status teamPositions }
    }
  }
`);

const signalTypingMutation = graphql(`
  mutation signalVisitorTyping($input: SignalVisitorTypingInput!) {
    isSignalled: signalVisitorTyping(input: $input)
  }
`);

const requestHandoffMutation = graphql(`
  mutation requestVisitorHandoff($input: RequestVisitorHandoffInput!) {
    conversation: requestVisitorHandoff(input: $input) { ${conversationFields} }
  }
`);

const giveFeedbackMutation = graphql(`
  mutation giveVisitorFeedback($input: GiveVisitorFeedbackInput!) {
    feedback: giveVisitorFeedback(input: $input) { rating }
  }
`);

const rateHandoffMutation = graphql(`
  mutation rateVisitorHandoff($input: RateVisitorHandoffInput!) {
    satisfaction: rateVisitorHandoff(input: $input) { ${satisfactionFields} }
  }
`);
