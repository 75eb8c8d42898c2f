import { type Context, fromReplica } from '../../domain/context.ts';
import { answerVisitor, type VisitorChatEvent } from '../../domain/widget/answer-visitor.ts';
import { rateVisitorAnswer } from '../../domain/widget/rate-visitor-answer.ts';
import { rateVisitorHandoff } from '../../domain/widget/rate-visitor-handoff.ts';
import { requestVisitorHandoff } from '../../domain/widget/request-visitor-handoff.ts';
import { signalVisitorTyping } from '../../domain/widget/signal-visitor-typing.ts';
import { stopVisitorAnswer } from '../../domain/widget/stop-visitor-answer.ts';
import {
  getVisitorConversation,
  listVisitorConversations,
  type VisitorUpdate,
  watchVisitor,
} from '../../domain/widget/visitor-conversation.ts';
import type { SseEvent } from '../../http/send-events.ts';
import type { ObjectSchema } from '../request/operations.ts';
import { type BodyOf, object } from './body-schema.ts';

/** An operation of the widget. Its path is its name. The start of a visit is not one of these operations. */
export interface VisitorOperation {
  /** Cost of one request, in points of the visitor's rate limit per minute. */
  readonly points: number;
  readonly body: ObjectSchema;
  /** Returns JSON or a stream of events. */
  readonly handler:
    | { readonly type: 'json'; run(context: Context, input: object): Promise<object> }
    | { readonly type: 'stream'; watch(context: Context, input: object): SseEvents };
}

type SseEvents = AsyncIterator<SseEvent, undefined>;

const id = { type: 'string', minLength: 36, maxLength: 36 } as const;

const emailAddress = {
  type: 'string',
  maxLength: 254,
  pattern:
    "^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_\\x60{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_\\x60{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$",
  'x-pattern-message': 'must be an e-mail address',
} as const;

const isTyping = { type: 'boolean' } as const;

export const visitorOperations: Readonly<Record<string, VisitorOperation>> = {
  messages: {
    points: 4,
    ...stream(
      object(
        {
          message: nonBlank(4_000),
          conversationId: id,
          name: text(200),
          email: text(254),
          page: text(500),
          timeZone: text(64),
          attributes: { type: 'object' },
        },
        ['message'],
      ),
      (context, input) => mapEvents(answerVisitor(context, input), chatEvent),
    ),
  },
  stop: {
    points: 1,
    ...json(object({ messageId: id }, ['messageId']), async (context, { messageId }) => ({
      status: await stopVisitorAnswer(context, messageId),
    })),
  },
  conversation: {
    points: 1,
    ...json(object({ conversationId: id }, ['conversationId']), (context, { conversationId }) =>
      getVisitorConversation(fromReplica(context), conversationId),
    ),
  },
  conversations: {
    points: 1,
    ...json(object({}, []), async (context) => ({
      conversations: await listVisitorConversations(fromReplica(context)),
    })),
  },
  updates: {
    points: 1,
    ...stream(object({ conversationId: id }, []), (context, { conversationId }) =>
      mapEvents(watchVisitor(context, conversationId ?? null), updateEvent),
    ),
  },
  typing: {
    points: 1,
    ...json(
      object({ conversationId: id, isTyping }, ['conversationId']),
      async (context, input) => ({ isSignalled: await signalVisitorTyping(context, input) }),
    ),
  },
  handoff: {
    points: 5,
    ...json(
      object(
        { conversationId: id, name: nonBlank(200), email: emailAddress, reason: text(2_000) },
        ['conversationId'],
      ),
      requestVisitorHandoff,
    ),
  },
  feedback: {
    points: 1,
    ...json(
      object({ messageId: id, rating: { type: 'string', enum: ['UP', 'DOWN'] } }, [
        'messageId',
        'rating',
      ]),
      async (context, input) => {
        const { rating } = await rateVisitorAnswer(context, input);
        return { rating };
      },
    ),
  },
  satisfaction: {
    points: 5,
    ...json(
      object(
        {
          handoffId: id,
          rating: { type: 'integer', minimum: 1, maximum: 5 },
          comment: text(2_000),
        },
        ['handoffId', 'rating'],
      ),
      async (context, input) => {
        const { handoffId, rating, comment } = await rateVisitorHandoff(context, input);
        return { handoffId, rating, comment };
      },
    ),
  },
};

/** Body of the start of a visit. It contains the user whose id the website has signed, or no user. */
export const visitBody = object(
  {
    // The same rule as in GraphQL for an end user's id: no control characters and no invisible formatting characters.
    userId: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]*$',
    },
    userHash: text(200),
  },
  [],
);

function text(maxLength: number) {
  return { type: 'string', maxLength } as const;
}

function nonBlank(maxLength: number) {
  return { ...text(maxLength), pattern: '\\S', 'x-pattern-message': 'must not be blank' } as const;
}

function json<Body extends ObjectSchema>(
  body: Body,
  run: (context: Context, input: BodyOf<Body>) => Promise<object>,
) {
  return { body, handler: { type: 'json', run } } as const;
}

function stream<Body extends ObjectSchema>(
  body: Body,
  watch: (context: Context, input: BodyOf<Body>) => SseEvents,
) {
  return { body, handler: { type: 'stream', watch } } as const;
}

async function* mapEvents<Event>(
  events: AsyncIterable<Event>,
  toEvent: (event: Event) => SseEvent,
): AsyncGenerator<SseEvent, undefined> {
  for await (const event of events) yield toEvent(event);
}

function chatEvent(event: VisitorChatEvent): SseEvent {
  return event.type === 'done' ? { type: 'done', ...event.reply } : event;
}

function updateEvent({ conversation, teamConversations }: VisitorUpdate): SseEvent {
  const type = conversation === null ? 'teamConversations' : 'conversation';
  return { type, ...conversation, teamConversations };
}
