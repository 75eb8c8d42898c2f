import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import {
  type AdapterSettings,
  type RunningAdapters,
  startAdapters,
} from '../../src/domain/adapters.ts';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { type Context, systemContext } from '../../src/domain/context.ts';
import { ApiKeyScope } from '../../src/domain/generated/prisma/enums.ts';
import { jobHandlers } from '../../src/domain/jobs/workers.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { startWeb, type WebOptions } from '../../src/http.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { signToken, type TokenClaims } from '../../src/token.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { joinSupabaseProject, usesSupabase } from './test-supabase.ts';

/** The whole service on a database of its own, over real HTTP. */
export interface TestService {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly database: TestDatabase;
  readonly adapters: RunningAdapters;
  /** The database for the role that owns its tables: what no service may do. */
  readonly owner: pg.Pool;
  /** A context that may do everything. */
  readonly system: Context;
  /** A new organization with one project. */
  createTenant(options?: { readonly plan?: string }): Promise<Tenant>;
  /** Valid for 12 hours, or so many seconds. */
  token(claims: TokenClaims, lifetimeSeconds?: number): Promise<string>;
  /** Where the originals of documents are. */
  readonly filesDirectory: string;
  stop(): Promise<void>;
}

export interface Tenant {
  readonly organizationId: string;
  readonly projectId: string;
  /** The text of a new key; of the project unless it is to be org-wide. */
  key(options?: {
    readonly scopes?: readonly ApiKeyScope[];
    readonly isOrgWide?: boolean;
    readonly projectId?: string;
    readonly expiresAt?: Date;
  }): Promise<string>;
}

export async function startTestService(
  options: {
    readonly openAi?: AdapterSettings['openAi'];
    readonly isWorker?: boolean;
    readonly allowPrivateWebhooks?: boolean;
    /** Shared with another service, which drops it. */
    readonly database?: TestDatabase;
    readonly log?: Logger;
    readonly isGraphiqlOn?: boolean;
    readonly stallTimeoutMs?: number;
    /** Keeps the originals in this project's Storage. */
    readonly supabase?: AdapterSettings['supabase'];
    readonly statementTimeoutMs?: number;
    /** In place of links of the service's own. */
    readonly signIn?: Pick<WebOptions, 'trust' | 'signIn'>;
    /** How long a token lasts that the dashboard gets: an hour, if it is not said. */
    readonly dashboardTokenSeconds?: number;
  } = {},
): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-test-'));
  const log = options.log ?? createLog(process.env.TEST_LOG_LEVEL ?? 'silent');
  const { metrics, registry } = createMetrics();
  const secret = new TextEncoder().encode('a secret that only the tests know of');
  const joined = usesSupabase() ? await joinSupabaseProject(database.url) : null;
  const supabase = options.supabase ?? joined?.project ?? null;
  const adapters = await startAdapters({
    databaseUrl: database.url,
    directDatabaseUrl: database.directUrl ?? null,
    databasePoolSize: 10,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: options.statementTimeoutMs ?? null,
    migrationDatabaseUrl: null,
    dataDir,
    openAi: options.openAi ?? null,
    supabase,
    events: joined === null ? 'postgres' : 'realtime',
    isWorker: options.isWorker ?? true,
    allowPrivateWebhooks: options.allowPrivateWebhooks ?? false,
    metrics,
    log,
  });
  if (options.isWorker ?? true) await adapters.queue.work(jobHandlers(adapters));
  const web = await startWeb(adapters, {
    host: '127.0.0.1',
    port: 0,
    isGraphiqlOn: options.isGraphiqlOn ?? false,
    trust: {
      type: 'secret',
      secret,
      issuers: supabase === null ? [] : [`${supabase.url}/auth/v1`],
    },
    signIn: { type: 'link' },
    ...options.signIn,
    dashboardTokenSeconds: options.dashboardTokenSeconds,
    log,
    registry,
    stopGraceMs: 5_000,
    pingMs: 300,
    ...(options.stallTimeoutMs !== undefined && { stallTimeoutMs: options.stallTimeoutMs }),
  });
  const system = systemContext(adapters, new AbortController().signal);
  const owner = new pg.Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 1_000 });
  owner.on('error', () => {}); // a connection that a test has ended
  return {
    url: web.url,
    database,
    adapters,
    owner,
    system,
    createTenant: (tenant = {}) => createTenant(system, tenant.plan ?? 'scale'),
    token: (claims, lifetimeSeconds) => signToken(secret, claims, lifetimeSeconds),
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

async function createTenant(system: Context, plan: string): Promise<Tenant> {
  const { id: organizationId } = await createOrganization(system, { name: 'Harbour Lights', plan });
  const { id: projectId } = await createProject(system, { organizationId, name: 'Front desk' });
  return {
    organizationId,
    projectId,
    async key({ scopes = Object.values(ApiKeyScope), isOrgWide = false, ...rest } = {}) {
      const { secret } = await createApiKey(system, {
        organizationId,
        projectId: isOrgWide ? null : (rest.projectId ?? projectId),
        name: 'Test key',
        scopes,
        expiresAt: rest.expiresAt ?? null,
      });
      return secret;
    },
  };
}
