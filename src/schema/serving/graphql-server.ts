import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, isAsyncIterable, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Caller } from '../../domain/caller.ts';
import {
  type Adapters,
  type Context,
  createContext,
  type RequestScope,
} from '../../domain/context.ts';
import { operationSpan } from '../../http/operation-span.ts';
import { inSpan } from '../../platform/tracing/tracer.ts';
import { schema } from '../schema.ts';
import type { Authenticator } from './authenticate.ts';
import { exampleOperations } from './example-operations.ts';
import { explainAbortedValidation } from './explain-aborted-validation.ts';
import { renderGraphiqlPage } from './graphiql-page.ts';
import { acceptsGraphqlJson, withHttpStatus } from './http-status.ts';
import { limitIntrospection } from './introspection.ts';
import { limitNesting } from './limit-nesting.ts';
import { createSubscriptionLimiter } from './limit-subscriptions.ts';
import { limitOperations } from './operation-budget.ts';
import { readQueriesFromReplica } from './read-queries-from-replica.ts';
import {
  maskResultErrors,
  SubscriptionResults,
  startSubscription,
} from './subscription-results.ts';
import { traceOperations } from './trace-operations.ts';

/**
 * Limits of one operation. The largest operation of the dashboard and the REST API uses about a third of each limit.
 */
const operationLimits = { depth: 12, cost: 20_000, aliases: 30, directives: 30, tokens: 2_000 };

/**
 * Counts the fields of a fragment as if they were written inline. Otherwise each fragment would add a nesting level and
 * raise the cost of its fields by half.
 */
const flattenFragments = true;

const onReject = [
  (_context: unknown, error: GraphQLError) => {
    Object.assign(error.extensions, { code: 'QUERY_TOO_COMPLEX' });
  },
];

/** Values that the HTTP server passes to yoga with each request. */
export interface RequestContext extends RequestScope {
  /** Receives the caller as soon as authentication has finished. */
  setCaller(caller: Caller): void;
  /**
   * Receives the results of a subscription. The HTTP server sends them as the body, because yoga's response has only
   * status and headers.
   */
  stream(results: SubscriptionResults): void;
}

/**
 * Creates the GraphQL endpoint for operators and API keys. Subscriptions use the "distinct connections" mode of GraphQL
 * over SSE, the default of graphql-sse clients. They are served at `/graphql` and `/graphql/stream`.
 */
export function createGraphqlServer(
  adapters: Adapters,
  options: {
    readonly authenticate: Authenticator;
    /** Serves the GraphiQL page. */
    readonly isGraphiqlOn: boolean;
    /** Maximum number of open subscriptions of one caller in this process. 0: no limit. */
    readonly subscriptionsPerCaller: number;
  },
): YogaServerInstance<RequestContext, Context> {
  return createYoga<RequestContext, Context>({
    schema,
    graphqlEndpoint: '/graphql{/stream}?',
    landingPage: false,
    renderGraphiQL: renderGraphiqlPage,
    graphiql: options.isGraphiqlOn && {
      title: 'grounded-chat',
      subscriptionsProtocol: 'GRAPHQL_SSE',
      defaultQuery: exampleOperations,
    },
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    context: async ({ request, signal, requestId, origin, setCaller }) => {
      const caller = await options.authenticate(request.headers.get('authorization'));
      setCaller(caller);
      const channel = caller.type === 'operator' ? 'PLAYGROUND' : 'GRAPHQL';
      const context = createContext(adapters, caller, { signal, requestId, origin, channel });
      return { ...context, context };
    },
    plugins: [
      maskErrors(adapters),
      limitIntrospection(),
      limitOperations,
      readQueriesFromReplica,
      traceOperations,
      delegateSubscriptions(options.subscriptionsPerCaller),
      EnvelopArmorPlugin({
        maxDepth: { n: operationLimits.depth, flattenFragments, onReject },
        costLimit: { maxCost: operationLimits.cost, flattenFragments, onReject },
        maxAliases: { n: operationLimits.aliases, onReject },
        maxDirectives: { n: operationLimits.directives, onReject },
        maxTokens: { n: operationLimits.tokens, onReject },
        blockFieldSuggestion: { enabled: false },
      }),
      limitNesting,
      explainAbortedValidation,
    ],
  });
}

/**
 * Passes subscriptions to `stream` and lets yoga respond with status and headers only. If yoga ran a subscription, the
 * request and the wrappers of all plugins would stay in memory until the subscription ends.
 */
function delegateSubscriptions(maxPerCaller: number): Plugin<Context, RequestContext> {
  const limit = createSubscriptionLimiter(maxPerCaller);
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (operation: ExecutionArgs) => {
        const { context, stream } = operation.contextValue as SubscriptionContext;
        const span = operationSpan(operation.document, operation.operationName);
        const results = await limit(context.caller, () =>
          inSpan(...span, () => startSubscription(operation, context)),
        );
        if (!(results instanceof SubscriptionResults)) return results;
        stream(results);
        return emptyResults;
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
}

type SubscriptionContext = RequestContext & { readonly context: Context };

const emptyResults: AsyncIterable<ExecutionResult> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** Masks and logs errors. Replaces yoga's error masking, which cannot log the request id. */
function maskErrors({ log }: Adapters): Plugin<Context, RequestContext> {
  return {
    onResultProcess({ request, result, setResult, serverContext: { requestId } }) {
      if (isAsyncIterable(result)) return;
      if (!Array.isArray(result) && result.errors === undefined) return;
      const requestLog = log.child({ requestId });
      const isGraphqlJson = acceptsGraphqlJson(request.headers.get('accept'));
      const mask = (one: ExecutionResult) => {
        const masked = maskResultErrors(one, requestLog);
        return isGraphqlJson ? withHttpStatus(masked) : masked;
      };
      setResult(Array.isArray(result) ? result.map(mask) : mask(result));
    },
  };
}
