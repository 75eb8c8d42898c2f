import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { type Context, createSystemContext } from '../../src/domain/context.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { type Extractor, startExtractor } from '../../src/extract/process/extractor-pool.ts';
import {
  type BuiltInEmbedding,
  startBuiltInEmbedding,
} from '../../src/models/embedding/built-in-embedding-model.ts';
import { newId } from '../../src/platform/ids.ts';
import { ApiKeyScope, type Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import {
  type AdapterSettings,
  type RunningAdapters,
  startAdapters,
} from '../../src/server/adapters.ts';
import { jobs } from '../../src/server/jobs.ts';
import { createLog } from '../../src/server/log.ts';
import { createMetrics } from '../../src/server/observability/metrics.ts';
import { signToken, type TokenClaims } from '../../src/server/token.ts';
import { startWebServer, type WebServerOptions } from '../../src/server/web-server.ts';
import { type GraphqlClient, graphqlClient } from './api/graphql-client.ts';
import { type RestClient, restClient } from './api/rest-client.ts';
import { createTestDatabase, replicasOf, type TestDatabase } from './database/database.ts';
import { databaseAccessFor } from './database/database-access.ts';
import { acquireSupabaseProject, usesSupabase } from './servers/shared-supabase-project.ts';
import { directoryPrefix } from './test-run.ts';
import { testSecretsKey } from './test-secrets-key.ts';

/** The whole service, reachable over HTTP, with a database of its own. */
export interface TestService {
  /** Base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly database: TestDatabase;
  readonly adapters: RunningAdapters;
  /** Metrics of the service. */
  readonly registry: Registry;
  /** Connections as the owner of the tables, who has more rights than the service. */
  readonly ownerPool: pg.Pool;
  /** Context of the system caller. This caller has all permissions. */
  readonly system: Context;
  /** Creates an organization with one project. */
  createTenant(options?: { readonly plan?: string }): Promise<Tenant>;
  /** Signs a token. Default lifetime: 12 hours. */
  token(claims: TokenClaims, lifetimeSeconds?: number): Promise<string>;
  /** Directory in which the document files are stored. */
  readonly filesDirectory: string;
  stop(): Promise<void>;
}

export interface Tenant {
  readonly organizationId: string;
  readonly projectId: string;
  /** Creates an API key and returns its secret. */
  key(options?: KeyOptions): Promise<string>;
  /** Returns a client of the REST API that uses a new API key. */
  rest(options?: KeyOptions): Promise<RestClient>;
  /** Returns a GraphQL client that uses a new API key. */
  graphql(options?: KeyOptions): Promise<GraphqlClient>;
  /** Creates a member of the organization and returns a GraphQL client that acts as this member. */
  member(role: Role, email?: string): Promise<GraphqlClient>;
  /** Creates a member of the organization and returns a token of this member. */
  memberToken(
    role: Role,
    options?: {
      readonly email?: string;
      readonly userId?: string;
      readonly lifetimeSeconds?: number;
    },
  ): Promise<string>;
}

/** An API key. By default, it belongs to the project and has all scopes. */
interface KeyOptions {
  readonly scopes?: readonly ApiKeyScope[];
  readonly isOrgWide?: boolean;
  readonly projectId?: string;
  readonly expiresAt?: Date;
}

export async function startTestService(
  options: {
    readonly openAi?: AdapterSettings['openAi'];
    readonly chat?: AdapterSettings['chat'];
    readonly answerStarts?: AdapterSettings['answerStarts'];
    readonly answerTraceShare?: AdapterSettings['answerTraceShare'];
    readonly isWorker?: boolean;
    readonly allowPrivateWebhooks?: boolean;
    readonly allowPrivateSources?: boolean;
    /** URL that replaces the address of Notion's API. */
    readonly notionUrl?: string;
    readonly mail?: AdapterSettings['mail'];
    readonly publicUrl?: string;
    /** Port of the server. Default: a free port. */
    readonly port?: number;
    /** Database of another service, and that service drops it. Default: a new database. */
    readonly database?: TestDatabase;
    readonly log?: Logger;
    readonly isGraphiqlOn?: boolean;
    readonly corsOrigins?: readonly string[];
    readonly stallTimeoutMs?: number;
    /** How long `stop` waits for running requests, in milliseconds. Default: 5 s. */
    readonly stopGraceMs?: number;
    readonly rerank?: AdapterSettings['rerank'];
    readonly searchIndexMegabytes?: AdapterSettings['searchIndexMegabytes'];
    /** If set, document files are stored in the Storage of this Supabase project. */
    readonly supabase?: AdapterSettings['supabase'];
    readonly statementTimeoutMs?: number;
    /** Read replicas of the database. Default: the server of `TEST_REPLICA_URL`, if it is set. */
    readonly databaseReplicas?: AdapterSettings['databaseReplicas'];
    /** Used instead of the built-in sign-in with links. */
    readonly signIn?: Pick<WebServerOptions, 'tokenVerification' | 'signIn'>;
    /** Sign-in with an OIDC provider. Requires `publicUrl`. */
    readonly oidc?: WebServerOptions['oidc'];
    /** Settings for OAuth sign-in to the MCP server. Default: no such sign-in. */
    readonly mcpResource?: WebServerOptions['mcpResource'];
    /** Limits for callers. Default: none. */
    readonly callerLimits?: WebServerOptions['callerLimits'];
    /** Lifetime of dashboard tokens in seconds. Default: one hour. */
    readonly dashboardTokenSeconds?: number;
  } = {},
): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), directoryPrefix()));
  const log = options.log ?? createLog(process.env.TEST_LOG_LEVEL ?? 'silent');
  const { metrics, registry } = createMetrics();
  const secret = new TextEncoder().encode('a secret that only the tests know of');
  const joined = usesSupabase() ? await acquireSupabaseProject(database.url) : null;
  const supabase = options.supabase ?? joined?.project ?? null;
  const adapters = await startAdapters({
    ...databaseAccessFor(database, { statementTimeoutMs: options.statementTimeoutMs ?? null }),
    databasePoolSize: 10,
    databaseReplicas: options.databaseReplicas ?? replicasOf(database),
    dataDir,
    secretsKeys: [testSecretsKey],
    openAi: options.openAi ?? null,
    chat: options.chat,
    answerStarts: options.answerStarts,
    answerTraceShare: options.answerTraceShare,
    rerank: options.rerank ?? null,
    searchIndexMegabytes: options.searchIndexMegabytes,
    supabase,
    isWorker: options.isWorker ?? true,
    allowPrivateWebhooks: options.allowPrivateWebhooks ?? false,
    allowPrivateSources: options.allowPrivateSources ?? false,
    notionUrl: options.notionUrl ?? 'https://api.notion.com',
    mail: options.mail ?? null,
    publicUrl: options.publicUrl ?? null,
    builtInEmbedding: await sharedEmbedding(),
    extractor: sharedExtractor(),
    metrics,
    log,
  });
  if (options.isWorker ?? true) await adapters.queue.work(adapters, jobs);
  const web = await startWebServer(adapters, {
    host: '127.0.0.1',
    port: options.port ?? 0,
    isGraphiqlOn: options.isGraphiqlOn ?? false,
    corsOrigins: options.corsOrigins ?? [],
    tokenVerification: {
      type: 'secret',
      secret,
      issuers: supabase === null ? [] : [`${supabase.url}/auth/v1`],
    },
    signIn: { type: 'link' },
    ...options.signIn,
    oidc: options.oidc ?? null,
    dashboardTokenSeconds: options.dashboardTokenSeconds,
    callerLimits: options.callerLimits,
    mcpResource: options.mcpResource ?? null,
    log,
    registry,
    stopGraceMs: options.stopGraceMs ?? 5_000,
    pingIntervalMs: 100,
    ...(options.stallTimeoutMs !== undefined && { stallTimeoutMs: options.stallTimeoutMs }),
  });
  const system = createSystemContext(adapters, new AbortController().signal);
  const token: TestService['token'] = (claims, lifetimeSeconds) =>
    signToken(secret, claims, lifetimeSeconds);
  const owner = new pg.Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 1_000 });
  owner.on('error', () => {}); // a test may terminate a connection
  return {
    url: web.url,
    database,
    adapters,
    registry,
    ownerPool: owner,
    system,
    createTenant: (tenant = {}) =>
      createTenant({ url: web.url, system, token }, tenant.plan ?? 'scale'),
    token,
    filesDirectory: join(dataDir, 'files'),
    async stop() {
      await Promise.all([web.stop(), adapters.events.stop()]);
      await Promise.all([adapters.stop(), owner.end()]);
      await joined?.leave();
      if (options.database === undefined) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let embedding: Promise<BuiltInEmbedding> | undefined;

/**
 * Returns the embedding model, which each process loads only once. The thread of the model does not keep the process
 * alive.
 */
function sharedEmbedding(): Promise<BuiltInEmbedding> {
  embedding ??= startBuiltInEmbedding();
  return embedding;
}

let extractor: Extractor | undefined;

/**
 * Returns an extractor that all services of this test process share. Its sandboxed processes read the files of one
 * tenant only. Nearly every test has its own tenant, so the first document of each test would wait for a new process.
 * To avoid this, the shared extractor assigns all files to one tenant. `test/domain/knowledge/ingestion.test.ts` proves
 * that the service names the tenant of a file. `test/extract/process/tenant-processes.test.ts` proves that each tenant
 * has its own processes.
 */
function sharedExtractor(): Extractor {
  extractor ??= startExtractor();
  const { extract, readPack, readPage, readSitemap } = extractor;
  return {
    extract: (file, options) => extract(file, ofOneTenant(options)),
    readPage: (page, options) => readPage(page, ofOneTenant(options)),
    readPack: (pack, options) => readPack(pack, ofOneTenant(options)),
    readSitemap: (file, options) => readSitemap(file, ofOneTenant(options)),
    stop: () => Promise.reject(new Error('Other services use this extractor.')),
  };
}

function ofOneTenant({ signal, group }: Parameters<Extractor['extract']>[1] = {}) {
  if (group === undefined) throw new Error('The service names no tenant of the file.');
  return signal && { signal };
}

async function createTenant(
  { url, system, token }: Pick<TestService, 'url' | 'system' | 'token'>,
  plan: string,
): Promise<Tenant> {
  const { id: organizationId } = await createOrganization(system, { name: 'Harbour Lights', plan });
  const { id: projectId } = await createProject(system, { organizationId, name: 'Front desk' });
  const key: Tenant['key'] = async (options = {}) => {
    const { scopes = Object.values(ApiKeyScope), isOrgWide = false, expiresAt = null } = options;
    const { secret } = await createApiKey(system, {
      organizationId,
      projectId: isOrgWide ? null : (options.projectId ?? projectId),
      name: 'Test key',
      scopes,
      expiresAt,
    });
    return secret;
  };
  const memberToken: Tenant['memberToken'] = async (role, options = {}) => {
    const { userId = newId(), email = `${userId}@example.com`, lifetimeSeconds } = options;
    await system.db.member.create({ data: { id: newId(), organizationId, email, userId, role } });
    return token({ role: 'authenticated', sub: userId, email }, lifetimeSeconds);
  };
  return {
    organizationId,
    projectId,
    key,
    memberToken,
    rest: async (options) => restClient(`${url}/api/v1`, await key(options)),
    graphql: async (options) => graphqlClient(url, await key(options)),
    member: async (role, email) => graphqlClient(url, await memberToken(role, { email })),
  };
}
