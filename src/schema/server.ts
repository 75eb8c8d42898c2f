import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import { type Adapters, type Context, createContext } from '../domain/context.ts';
import type { Authenticate } from './authenticate.ts';
import { publicError } from './errors.ts';
import { exampleOperations } from './examples.ts';
import { schema } from './schema.ts';

/** Bounds on one operation. The largest of our own documents uses about a third of each. */
const limits = { depth: 10, cost: 20_000, aliases: 30, directives: 30, tokens: 2_000 };

/** What the HTTP server hands over with each request. */
export interface RequestContext {
  /** As in `Context`. */
  readonly signal: AbortSignal;
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
    readonly requestLog: (request: Request) => Logger;
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
    maskedErrors: { maskError: (error) => publicError(error, adapters.log) },
    context: async ({ request, signal }) => {
      const caller = await options.authenticate(request.headers.get('authorization'));
      return createContext(adapters, caller, {
        signal,
        log: options.requestLog(request),
      });
    },
    plugins: [
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
