import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { createYoga, isAsyncIterable, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Caller } from '../domain/caller.ts';
import {
  type Adapters,
  type Context,
  createContext,
  type RequestOrigin,
} from '../domain/context.ts';
import type { Authenticate } from './authenticate.ts';
import { exampleOperations } from './examples.ts';
import { publicResult, Results, subscribeTo } from './results.ts';
import { schema } from './schema.ts';

/** Bounds on one operation. The largest of our own documents uses about a third of each. */
const limits = { depth: 12, cost: 20_000, aliases: 30, directives: 30, tokens: 2_000 };

/** Or each fragment would count as a level of nesting, and make what is in it dearer by half. */
const flattenFragments = true;

/** What the HTTP server hands over with each request. */
export interface RequestContext extends RequestOrigin {
  /** Is told who asks as soon as that is known. */
  noteCaller(caller: Caller): void;
  /** Is handed the results of a subscription; yoga's answer then has its status and headers alone. */
  stream(results: Results): void;
}

/**
 * The GraphQL endpoint for operators and keys. Subscriptions stream by the "distinct connections" mode of
 * GraphQL over SSE, which the graphql-sse client speaks too, at `/graphql/stream` as well as `/graphql`.
 */
export function createGraphqlServer(
  adapters: Adapters,
  options: {
    readonly authenticate: Authenticate;
    readonly isGraphiqlOn: boolean;
  },
): YogaServerInstance<RequestContext, Context> {
  return createYoga<RequestContext, Context>({
    schema,
    graphqlEndpoint: '/graphql{/stream}?',
    landingPage: false,
    // Served from here whole: the default page loads its parts from a CDN.
    renderGraphiQL,
    graphiql: options.isGraphiqlOn && {
      title: 'grounded-chat',
      subscriptionsProtocol: 'GRAPHQL_SSE',
      defaultQuery: exampleOperations,
    },
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    context: async ({ request, signal, requestId, noteCaller }) => {
      const caller = await options.authenticate(request.headers.get('authorization'));
      noteCaller(caller);
      const context = createContext(adapters, caller, { signal, requestId });
      return { ...context, context };
    },
    plugins: [
      publicErrors(adapters),
      streamElsewhere,
      EnvelopArmorPlugin({
        maxDepth: { n: limits.depth, flattenFragments },
        costLimit: { maxCost: limits.cost, flattenFragments },
        maxAliases: { n: limits.aliases },
        maxDirectives: { n: limits.directives },
        maxTokens: { n: limits.tokens },
        blockFieldSuggestion: { enabled: false },
      }),
    ],
  });
}

/**
 * Subscribes past yoga and its plugins, which answer with a status and headers alone: each of their layers would live
 * as long as the subscription, and so would the request.
 */
const streamElsewhere: Plugin<Context, RequestContext> = {
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(async (operation: ExecutionArgs) => {
      const { context, stream } = operation.contextValue as SubscriptionContext;
      const results = await subscribeTo(operation, context);
      if (!(results instanceof Results)) return results;
      stream(results);
      return handedOver;
    });
  },
  onResultProcess({ result, resultProcessor, setResultProcessor }) {
    if (!isAsyncIterable(result) || resultProcessor === undefined) return;
    setResultProcessor(
      (_results, { Response }) => new Response(null, { headers: streamHeaders }),
      'text/event-stream',
    );
  },
};

type SubscriptionContext = RequestContext & { readonly context: Context };

const handedOver: AsyncIterable<ExecutionResult> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** In place of yoga's own masking, which does not know the request and so not what to log with the error. */
function publicErrors({ log }: Adapters): Plugin<Context, RequestContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { requestId } }) {
      if (isAsyncIterable(result)) return;
      const requestLog = log.child({ requestId });
      if (Array.isArray(result)) setResult(result.map((one) => publicResult(one, requestLog)));
      else setResult(publicResult(result, requestLog));
    },
  };
}
