import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { type Logger, pino } from 'pino';
import type { ApiKeyCaller } from '../../../src/domain/caller.ts';
import type { Context } from '../../../src/domain/context.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { restRouter } from '../../../src/rest/rest-api.ts';

/** Resolver of a field in the scripted schema. For a subscription, it returns an async iterable. */
export type ScriptedField = (input: RecordedArguments, context: Context) => unknown;

// biome-ignore lint/suspicious/noExplicitAny: the arguments differ in each test
export type RecordedArguments = any;

export interface RestServer extends AsyncDisposable {
  /** URL of the API, which ends with `/api/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  /** All log lines of the REST API. Each line is JSON. */
  readonly logLines: readonly string[];
}

export const projectId = '01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20';
export const otherProjectId = '01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e21';

/** Keys that the scripted service accepts. The text after `sk_` names the permissions of a key. */
export const keys = {
  project: 'sk_project',
  orgWide: 'sk_org-wide',
  withoutScopes: 'sk_without-scopes',
};

/**
 * Starts the real REST API on an HTTP server, with a schema whose resolvers are scripted. Use it for tests of the REST
 * layer without the domain.
 */
export async function startRestServer(
  fields: Readonly<Record<string, ScriptedField>>,
  options: {
    readonly stallTimeoutMs?: number;
    readonly uploadLimitBytes?: number;
    /** Called before the service reads the upload limit. The read waits until the returned promise resolves. */
    readonly beforeUploadLimit?: (context: Context) => Promise<unknown>;
    readonly stopping?: AbortSignal;
  } = {},
): Promise<RestServer> {
  const logLines: string[] = [];
  const log: Logger = pino({ level: 'debug' }, { write: (line: string) => logLines.push(line) });
  const app = express().use(
    '/api/v1',
    restRouter({
      schema: scriptedSchema(fields),
      authenticate: async (authorization) => ({
        caller: callerForKey(authorization),
        rateLimit: { limit: 60, remaining: 59, resetSeconds: 60, isExceeded: false },
      }),
      contextFor: (_caller, { signal, requestId }) =>
        scriptedContext({ signal, log: log.child({ requestId }) }),
      uploadLimitBytes: async (context) => {
        await options.beforeUploadLimit?.(context);
        return options.uploadLimitBytes ?? 1_000_000;
      },
      claimIdempotencyKey: () => {
        throw new Error('The scripted service keeps no answers');
      },
      log,
      stallTimeoutMs: options.stallTimeoutMs ?? 60_000,
      stopping: options.stopping ?? new AbortController().signal,
    }),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    port,
    logLines,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns a context that has only the fields set by the REST layer. Scripted resolvers use no other fields. */
function scriptedContext(request: Pick<Context, 'signal' | 'log'>): Context {
  const database = { replicas: null };
  return { ...request, database } as Context;
}

function callerForKey(authorization: string | undefined): ApiKeyCaller {
  const caller = {
    type: 'key',
    keyId: 'key',
    organizationId: 'organization',
    filter: null,
  } as const;
  const scopes = ['CHAT', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'] as const;
  switch (authorization) {
    case `Bearer ${keys.project}`:
      return { ...caller, projectId, scopes };
    case `Bearer ${keys.orgWide}`:
      return { ...caller, projectId: null, scopes };
    case `Bearer ${keys.withoutScopes}`:
      return { ...caller, projectId, scopes: [] };
    default:
      throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  }
}

function scriptedSchema(fields: Readonly<Record<string, ScriptedField>>): GraphQLSchema {
  const schema = buildSchema(sdl);
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      field.resolve = (_root, args, context) => scripted(fields, field.name)(args, context);
    }
  }
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    field.subscribe = (_root, args, context) => scripted(fields, field.name)(args, context);
    field.resolve = (event) => event;
  }
  return schema;
}

function scripted(fields: Readonly<Record<string, ScriptedField>>, name: string): ScriptedField {
  const field = fields[name];
  if (field === undefined) throw new Error(`The test does not script ${name}`);
  return field;
}

const sdl = `
  scalar DateTime
  scalar UploadedFile
  scalar JSON
  scalar DocumentFilter
  enum DocumentStatus { PROCESSING READY FAILED }
  enum DocumentSourceType { TEXT FILE }
  type DocumentError { code: String! message: String! }
  type DocumentWarning { code: String! message: String! }
  type Document {
    id: ID! projectId: ID! name: String! status: DocumentStatus! sourceType: DocumentSourceType!
    mimeType: String! sizeBytes: Float! contentHash: String! chunkCount: Int! tokenCount: Int!
    error: DocumentError warnings: [DocumentWarning!]! waitingReason: String externalId: String metadata: JSON! sourceUrl: String tags: [String!]!
    version: Int! sourceId: ID outcome: String duplicateOf: ID createdAt: DateTime! updatedAt: DateTime! processedAt: DateTime
  }
  type DocumentPage { data: [Document!]! page: Int! limit: Int! total: Int! totalPages: Int! hasMore: Boolean! }
  type SearchResult {
    documentId: ID! documentName: String! chunkId: ID! score: Float! content: String! context: String!
    page: Int startOffset: Int! endOffset: Int! sourceUrl: String metadata: JSON!
  }
  type Citation {
    documentId: ID! documentName: String! chunkId: ID! score: Float! quote: String page: Int
    startOffset: Int! endOffset: Int! sourceUrl: String metadata: JSON!
  }
  type ChatReply {
    conversationId: ID! messageId: ID! content: String! citations: [Citation!]! confidence: Float! latencyMs: Int!
  }
  union ChatEvent = ChatMeta | ChatSources | ChatDelta | ChatDone | ChatError
  type ChatMeta { conversationId: ID! messageId: ID! }
  type ChatSources { citations: [Citation!]! confidence: Float! }
  type ChatDelta { text: String! }
  type ChatDone { reply: ChatReply! }
  type ChatError { message: String! code: String! retryable: Boolean! }
  input SendMessageInput { projectId: ID message: String! conversationId: String endUserId: String resumable: Boolean filter: DocumentFilter }
  input ResumeAnswerInput { projectId: ID messageId: ID! after: Int }
  input CreateDocumentInput {
    projectId: ID! name: String! content: String! externalId: String metadata: JSON sourceUrl: String tags: [String!]
  }
  input UploadDocumentInput {
    projectId: ID! file: UploadedFile! externalId: String metadata: JSON sourceUrl: String tags: [String!]
  }
  input DeleteDocumentInput { id: ID! projectId: ID }
  input RetryDocumentInput { id: ID! projectId: ID }
  type Query {
    document(id: ID!, projectId: ID!): Document!
    documentPage(projectId: ID!, page: Int, limit: Int, search: String, status: DocumentStatus, externalId: String,
      tag: String, sourceId: ID): DocumentPage!
    searchKnowledge(projectId: ID!, query: String!, limit: Int, filter: DocumentFilter): [SearchResult!]!
  }
  type Mutation {
    sendMessage(input: SendMessageInput!): ChatReply!
    createDocument(input: CreateDocumentInput!): Document!
    uploadDocument(input: UploadDocumentInput!): Document!
    deleteDocument(input: DeleteDocumentInput!): Document!
    retryDocument(input: RetryDocumentInput!): Document!
  }
  type Subscription {
    chat(input: SendMessageInput!): ChatEvent!
    resumeAnswer(input: ResumeAnswerInput!): ChatEvent!
  }
`;
