import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { ExecutionResult } from 'graphql';
import {
  createYoga,
  isAsyncIterable,
  mapAsyncIterator,
  type Plugin,
  type YogaServerInstance,
} from 'graphql-yoga';
import type { Caller } from '../domain/caller.ts';
import {
  type Adapters,
  type Context,
  createContext,
  type RequestOrigin,
} from '../domain/context.ts';
import type { Authenticate } from './authenticate.ts';
import { publicError } from './errors.ts';
import { exampleOperations } from './examples.ts';
import { schema } from './schema.ts';
import { withLastError } from './with-last-error.ts';

/** Bounds on one operation. The largest of our own documents uses about a third of each. */
const limits = { depth: 12, cost: 20_000, aliases: 30, directives: 30, tokens: 2_000 };

/** What the HTTP server hands over with each request. */
export interface RequestContext extends RequestOrigin {
  /** Is told who asks as soon as that is known. */
  noteCaller(caller: Caller): void;
  /** Is handed the results of a subscription; yoga's answer then has its status and headers alone. */
  stream(results: AsyncIterable<ExecutionResult>): void;
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
      return createContext(adapters, caller, { signal, requestId });
    },
    plugins: [
      publicErrors(adapters),
      streamElsewhere,
      EnvelopArmorPlugin({
        maxDepth: { n: limits.depth },
        costLimit: { maxCost: limits.cost },
        maxAliases: { n: limits.aliases },
        maxDirectives: { n: limits.directives },
        maxTokens: { n: limits.tokens },
        blockFieldSuggestion: { enabled: false },
      }),
    ],
  });
}

/** Registered last, so that the results are those that every other plugin has made of them. */
const streamElsewhere: Plugin<Context, RequestContext> = {
  onSubscribe: ({ args }) => ({
    onSubscribeResult() {
      // Nothing reads them any more, and the context lives as long as the subscription.
      for (const name of ['request', 'params']) Reflect.deleteProperty(args.contextValue, name);
    },
  }),
  onResultProcess({ result, resultProcessor, setResultProcessor, serverContext }) {
    if (!isAsyncIterable(result) || resultProcessor === undefined) return;
    setResultProcessor((results, { Response }) => {
      if (isAsyncIterable(results)) serverContext.stream(results);
      return new Response(null, { headers: streamHeaders });
    }, 'text/event-stream');
  },
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
      const withPublicErrors = <R extends ExecutionResult>(one: R): R => {
        if (one.errors === undefined) return one;
        const requestLog = log.child({ requestId });
        return { ...one, errors: one.errors.map((error) => publicError(error, requestLog)) };
      };
      if (isAsyncIterable(result)) {
        setResult(mapAsyncIterator(withLastError(result), withPublicErrors));
      } else if (Array.isArray(result)) setResult(result.map(withPublicErrors));
      else setResult(withPublicErrors(result));
    },
  };
}
