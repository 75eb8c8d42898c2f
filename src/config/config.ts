import type { MailSettings } from '../platform/mail/smtp-mailer.ts';
import { defaultPoolSize, directUrlOf, usesTransactionPooler } from './database-pooler.ts';
import { mailSettings } from './mail-settings.ts';
import {
  type ChatConfig,
  chatConfig,
  type EmbeddingConfig,
  embeddingConfig,
  type OpenAiConfig,
  openAiConfig,
  type RerankConfig,
  rerankConfig,
} from './model-config.ts';
import { type OidcSettings, oidcSettings } from './oidc-settings.ts';
import { type OpenTelemetrySettings, openTelemetrySettings } from './open-telemetry-settings.ts';
import { type logLevels, parseSettings, type processRoles, type Settings } from './settings.ts';

/** The configuration of the service. It is read once at start. */
export interface Config {
  readonly host: string;
  /** Port of the service. 0 selects a free port. */
  readonly port: number;
  /** Number of trusted proxies in front of the service, which may report the client's address. */
  readonly trustedProxies: number;
  /** Origin at which clients reach the service, or null if it is not set. */
  readonly publicUrl: string | null;
  /** Absolute path of the folder for the embedded database and uploaded files. */
  readonly dataDir: string;
  /** URL of a Postgres server, or null for the embedded database. */
  readonly databaseUrl: string | null;
  /** URL of the same Postgres without a pooler, or null if `databaseUrl` is direct. */
  readonly directDatabaseUrl: string | null;
  /** Whether `databaseUrl` leads through a transaction pooler. If true, each transaction may run in another session. */
  readonly usesTransactionPooler: boolean;
  /** Maximum number of database connections for requests and jobs. */
  readonly databasePoolSize: number;
  /** Streaming replicas of `databaseUrl` for reads. */
  readonly databaseReplicas: readonly ReplicaConfig[];
  /** Reads do not use a replica whose lag is longer than this. */
  readonly replicaMaxLagMs: number;
  /** Maximum time of one SQL statement, or null for no limit. */
  readonly statementTimeoutMs: number | null;
  /** Maximum memory for search indexes. 0: searches use the database only. */
  readonly searchIndexMegabytes: number;
  /** URL of the same Postgres for the role that owns the tables, or null if `databaseUrl` has that role. */
  readonly migrationDatabaseUrl: string | null;
  /** Supabase project for Storage, Realtime and Auth, or null for local storage and sign-in. */
  readonly supabase: SupabaseConfig | null;
  /** An OpenAI-compatible server, or null to use only built-in models. */
  readonly openAi: OpenAiConfig | null;
  readonly embedding: EmbeddingConfig;
  readonly chat: ChatConfig;
  /** Whether the answer reader chooses the sentences of built-in answers. */
  readonly isReaderOn: boolean;
  /** The rerank server, or null if there is none. */
  readonly rerank: RerankConfig | null;
  /** Shared secret that signs and verifies operators' tokens, or null to use a secret in the data directory. */
  readonly jwtSecret: string | null;
  /**
   * Base64 keys for stored secrets. The first key encrypts, all keys decrypt. Empty: uses a key in the data directory.
   */
  readonly secretsKeys: readonly string[];
  readonly role: ProcessRole;
  /** Port of a worker's health checks and metrics. 0 selects a free port. */
  readonly workerPort: number;
  /** Number of API processes. More than 1 only with Postgres. */
  readonly webConcurrency: number;
  /** How long the readiness check fails before the server refuses new requests. */
  readonly stopDelayMs: number;
  /** How long running requests, streams and jobs may continue after the server refuses new requests. */
  readonly stopGraceMs: number;
  /** Maximum number of open client connections of one process. */
  readonly maxConnections: number;
  /** Maximum number of open connections of one client address. Null: no limit. */
  readonly maxConnectionsPerAddress: number | null;
  /** Limits of one caller. 0: no limit. */
  readonly callerLimits: {
    readonly operatorRequestsPerMinute: number;
    readonly serviceRequestsPerMinute: number;
    readonly subscriptionsPerCaller: number;
  };
  /** How many answers a process may start at the same time, and how long further answers wait to start. */
  readonly answerStarts: { readonly maxStarting: number; readonly maxWaitMs: number };
  readonly logLevel: LogLevel;
  /** Allows webhooks to private addresses and without TLS. For development only. */
  readonly allowPrivateWebhooks: boolean;
  readonly allowPrivateSources: boolean;
  /** Address of Notion's API, without a path. */
  readonly notionUrl: string;
  /** The mail server for invitations, or null for none. */
  readonly mail: MailSettings | null;
  /** The provider that operators sign in with, or null for none. */
  readonly oidc: OidcSettings | null;
  /** Days after which entries of the audit log are deleted. */
  readonly auditRetentionDays: number;
  /** Share of the answers whose trace is stored, 0 to 1. */
  readonly answerTraceShare: number;
  /** What is sent to an OTLP receiver, or null for nothing. */
  readonly openTelemetry: OpenTelemetrySettings | null;
  readonly isGraphiqlOn: boolean;
  /** Origins of pages that may call GraphQL and the REST API. */
  readonly corsOrigins: readonly string[];
}

export interface ReplicaConfig {
  readonly databaseUrl: string;
  /** Whether `databaseUrl` leads through a transaction pooler. */
  readonly usesTransactionPooler: boolean;
}

export interface SupabaseConfig {
  /** Origin without a trailing slash. */
  readonly url: string;
  readonly secretKey: string;
  /** The Supabase project's shared signing secret, or null to verify tokens with its published keys. */
  readonly jwtSecret: string | null;
  /** Key that browsers send to Supabase Auth. Without it no operator can sign in to the dashboard. */
  readonly publishableKey: string | null;
}

export type ProcessRole = (typeof processRoles)[number];
export type LogLevel = (typeof logLevels)[number];

/** This error reports all invalid settings at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `Cannot start with these settings. Correct them in the environment or in .env:\n${problems
        .map((problem) => `  - ${problem}`)
        .join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the configuration from environment variables. An empty or blank variable counts as not set.
 * @throws ConfigError with every problem. No message repeats the value of a secret.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { settings: value, problems } = parseSettings(env);
  if (value === null || problems.length > 0) throw new ConfigError(problems);

  return Object.freeze({
    host: value.HOST,
    port: value.PORT,
    trustedProxies: value.TRUSTED_PROXIES,
    publicUrl: value.PUBLIC_URL ?? null,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL ?? null,
    directDatabaseUrl: directUrlOf(value),
    usesTransactionPooler: usesTransactionPooler(value),
    databasePoolSize: value.DATABASE_POOL_SIZE ?? defaultPoolSize(value),
    databaseReplicas: replicaConfigs(value),
    replicaMaxLagMs: value.DATABASE_REPLICA_MAX_LAG_MS,
    statementTimeoutMs: value.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1_000 || null,
    searchIndexMegabytes: value.SEARCH_INDEX_MEMORY_MB,
    migrationDatabaseUrl: value.MIGRATION_DATABASE_URL ?? null,
    supabase: supabaseConfig(value),
    openAi: openAiConfig(value),
    embedding: embeddingConfig(value),
    chat: chatConfig(value),
    isReaderOn: value.ANSWER_READER,
    rerank: rerankConfig(value),
    jwtSecret: value.JWT_SECRET ?? null,
    secretsKeys: value.SECRETS_KEY ?? [],
    role: value.ROLE,
    workerPort: value.WORKER_PORT,
    webConcurrency: value.WEB_CONCURRENCY,
    stopDelayMs: value.STOP_DELAY_SECONDS * 1_000,
    stopGraceMs: value.STOP_GRACE_SECONDS * 1_000,
    maxConnections: value.MAX_CONNECTIONS,
    maxConnectionsPerAddress: connectionsPerAddress(value),
    callerLimits: {
      operatorRequestsPerMinute: value.OPERATOR_REQUESTS_PER_MINUTE,
      serviceRequestsPerMinute: value.SERVICE_REQUESTS_PER_MINUTE,
      subscriptionsPerCaller: value.SUBSCRIPTIONS_PER_CALLER,
    },
    answerStarts: {
      maxStarting: value.STARTING_ANSWERS,
      maxWaitMs: value.STARTING_ANSWER_WAIT_SECONDS * 1_000,
    },
    logLevel: value.LOG_LEVEL,
    allowPrivateWebhooks: value.ALLOW_PRIVATE_WEBHOOKS,
    allowPrivateSources: value.ALLOW_PRIVATE_SOURCES,
    notionUrl: value.NOTION_API_URL,
    mail: mailSettings(value),
    oidc: oidcSettings(value),
    auditRetentionDays: value.AUDIT_RETENTION_DAYS,
    answerTraceShare: value.ANSWER_TRACES,
    openTelemetry: openTelemetrySettings(value),
    corsOrigins: value.CORS_ORIGINS,
    isGraphiqlOn: value.GRAPHIQL ?? value.NODE_ENV !== 'production',
  });
}

/** Behind a proxy, all clients have the address of the proxy. So there is no default limit behind a proxy. */
function connectionsPerAddress(value: Settings): number | null {
  const limit = value.MAX_CONNECTIONS_PER_ADDRESS ?? (value.TRUSTED_PROXIES > 0 ? 0 : 2_000);
  return limit === 0 ? null : limit;
}

/** If the primary is behind a transaction pooler, assumes that its replicas are behind one, too. */
function replicaConfigs(value: Settings): ReplicaConfig[] {
  const { DATABASE_REPLICA_URLS: urls = [], DATABASE_POOLER } = value;
  return urls.map((databaseUrl) => ({
    databaseUrl,
    usesTransactionPooler:
      usesTransactionPooler(value) ||
      usesTransactionPooler({ DATABASE_URL: databaseUrl, DATABASE_POOLER }),
  }));
}

function supabaseConfig(value: Settings): SupabaseConfig | null {
  if (!value.SUPABASE_URL || !value.SUPABASE_SECRET_KEY) return null;
  return Object.freeze({
    url: value.SUPABASE_URL,
    secretKey: value.SUPABASE_SECRET_KEY,
    jwtSecret: value.SUPABASE_JWT_SECRET ?? null,
    publishableKey: value.SUPABASE_PUBLISHABLE_KEY ?? null,
  });
}
