import { resolve } from 'node:path';
import { z } from 'zod';
import { maxVectorDimensions } from '../models/embedding/require-dimensions.ts';
import { findMissingCaFiles } from './database-ca-files.ts';
import { findPoolerProblem, poolers } from './database-pooler.ts';
import { findMailProblems } from './mail-settings.ts';
import { findOidcProblems, oidcFields } from './oidc-settings.ts';
import { openTelemetryFields } from './open-telemetry-settings.ts';
import { findConflictingSettings } from './setting-conflicts.ts';
import {
  flag,
  mailServer,
  oneOf,
  origin,
  origins,
  port,
  postgresUrl,
  postgresUrls,
  prefix,
  processCount,
  sender,
  share,
  url,
  wholeNumber,
} from './setting-fields.ts';

export const processRoles = ['all', 'api', 'worker'] as const;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const text = z.string();

const settingsSchema = z.object({
  PORT: port('3000').default(3000),
  HOST: text
    .regex(/^[\w.:-]+$/, 'must be an address or a host name to listen on, such as 127.0.0.1')
    .default('127.0.0.1'),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  PUBLIC_URL: origin('https://chat.example.com').optional(),
  DATA_DIR: text.default('./data').transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl().optional(),
  DIRECT_DATABASE_URL: postgresUrl().optional(),
  MIGRATION_DATABASE_URL: postgresUrl().optional(),
  DATABASE_POOLER: oneOf(poolers).optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 1_000).optional(),
  DATABASE_REPLICA_URLS: postgresUrls().optional(),
  DATABASE_REPLICA_MAX_LAG_MS: wholeNumber(200, 60_000).default(1_000),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: wholeNumber(0, 3_600).default(30),
  SEARCH_INDEX_MEMORY_MB: wholeNumber(0, 4_000).default(256),
  SUPABASE_URL: url(
    /^https?$/,
    'must be the address of the Supabase project, such as https://abcd.supabase.co',
  ).optional(),
  SUPABASE_SECRET_KEY: text.optional(),
  SUPABASE_PUBLISHABLE_KEY: text.optional(),
  SUPABASE_JWT_SECRET: text
    .min(
      32,
      'must have at least 32 characters; leave it out to verify tokens with the published keys',
    )
    .optional(),
  ...oidcFields,
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: url(
    /^https?$/,
    'must be the address of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1',
  ).optional(),
  CHAT_MODEL: text.optional(),
  EMBEDDING_MODEL: text.optional(),
  EMBEDDING_QUERY_PREFIX: prefix().optional(),
  EMBEDDING_DOCUMENT_PREFIX: prefix().optional(),
  EMBEDDING_DIMENSIONS: wholeNumber(1, maxVectorDimensions).optional(),
  EMBEDDING_COMPARE_SENTENCES: flag().default(false),
  CHAT_TEMPERATURE: text
    .refine(
      (value) => /^\d(?:\.\d{1,3})?$/.test(value) && Number(value) <= 2,
      'must be a number from 0 to 2, such as 0.2',
    )
    .transform(Number)
    .optional(),
  CHAT_REASONING_EFFORT: text
    .regex(/^[a-z]{1,20}$/, 'must be a value that the model knows, such as low')
    .optional(),
  CHAT_MAX_OUTPUT_TOKENS: wholeNumber(16, 1_000_000).optional(),
  CHAT_TIMEOUT_SECONDS: wholeNumber(1, 3_600).default(180),
  CHAT_CONTEXT_CHUNKS: wholeNumber(1, 50).default(10),
  CHAT_CONTEXT_TOKENS: wholeNumber(200, 1_000_000).default(4_000),
  CHAT_SECTION_TOKENS: wholeNumber(0, 1_000_000).default(800),
  ANSWER_READER: flag().default(true),
  RERANK_MODEL: text.optional(),
  RERANK_BASE_URL: url(
    /^https?$/,
    'must be the address of a server with POST /rerank, such as http://127.0.0.1:8000/v1',
  ).optional(),
  RERANK_API_KEY: text.optional(),
  JWT_SECRET: text.min(32, 'must have at least 32 characters').optional(),
  SECRETS_KEY: text
    .regex(
      /^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/,
      'must be keys of 32 bytes in base64 (openssl rand -base64 32), separated by commas',
    )
    .transform((keys) => keys.split(','))
    .optional(),
  ROLE: oneOf(processRoles).default('all'),
  WEB_CONCURRENCY: processCount().default(1),
  WORKER_PORT: port('3001').default(0),
  STOP_DELAY_SECONDS: wholeNumber(0, 300).default(0),
  STOP_GRACE_SECONDS: wholeNumber(0, 3_600).default(30),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(20_000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(0, 1_000_000).optional(),
  OPERATOR_REQUESTS_PER_MINUTE: wholeNumber(0, 1_000_000).default(1_200),
  SERVICE_REQUESTS_PER_MINUTE: wholeNumber(0, 1_000_000).default(12_000),
  SUBSCRIPTIONS_PER_CALLER: wholeNumber(0, 1_000_000).default(500),
  STARTING_ANSWERS: wholeNumber(1, 10_000).default(100),
  STARTING_ANSWER_WAIT_SECONDS: wholeNumber(1, 120).default(10),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  ALLOW_PRIVATE_WEBHOOKS: flag().default(false),
  ALLOW_PRIVATE_SOURCES: flag().default(false),
  NOTION_API_URL: origin('https://api.notion.com').default('https://api.notion.com'),
  SMTP_URL: mailServer().optional(),
  MAIL_FROM: sender().optional(),
  AUDIT_RETENTION_DAYS: wholeNumber(30, 3_650).default(400),
  ANSWER_TRACES: share().default(1),
  ...openTelemetryFields,
  GRAPHIQL: flag().optional(),
  CORS_ORIGINS: origins().default([]),
  NODE_ENV: text.optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The names of all settings, in the order of `.env.example`. */
export const settingNames: readonly string[] = Object.keys(settingsSchema.shape);

const secretSettings = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'DIRECT_DATABASE_URL',
  'JWT_SECRET',
  'MIGRATION_DATABASE_URL',
  'SUPABASE_SECRET_KEY',
  'SUPABASE_JWT_SECRET',
  'NOTION_API_URL',
  'OIDC_CLIENT_SECRET',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'RERANK_API_KEY',
  'RERANK_BASE_URL',
  'SECRETS_KEY',
  'SMTP_URL',
];

/** The parsed settings, null if one is invalid, and every problem found. No message repeats the value of a secret. */
export interface ParsedSettings {
  readonly settings: Settings | null;
  readonly problems: readonly string[];
}

/** Parses the environment variables of the service. An empty or blank variable counts as not set. */
export function parseSettings(env: NodeJS.ProcessEnv): ParsedSettings {
  const rawSettings = readRawSettings(env);
  const parsed = settingsSchema.safeParse(rawSettings);
  const invalid = parsed.success
    ? []
    : parsed.error.issues.map((issue) => describeInvalidSetting(issue, rawSettings));
  return {
    settings: parsed.success ? parsed.data : null,
    problems: [
      ...invalid,
      ...findConflictingSettings(rawSettings),
      ...findMailProblems(rawSettings),
      ...findOidcProblems(rawSettings),
      ...findPoolerProblems(parsed.data),
      ...findMissingCaFiles(rawSettings),
      ...findRemovedSettings(env),
    ],
  };
}

type RawSettings = Readonly<Record<string, string | undefined>>;

function readRawSettings(env: NodeJS.ProcessEnv): RawSettings {
  return Object.fromEntries(
    settingNames.map((name) => [name, env[name]?.trim() || undefined] as const),
  );
}

function describeInvalidSetting(issue: z.core.$ZodIssue, given: RawSettings): string {
  const name = String(issue.path[0]);
  const shown = secretSettings.includes(name)
    ? 'is not usable'
    : `is ${JSON.stringify(given[name])}`;
  return `${name} ${shown}: it ${issue.message}`;
}

function findPoolerProblems(settings: Settings | undefined): string[] {
  const problem = settings === undefined ? null : findPoolerProblem(settings);
  return problem === null ? [] : [problem];
}

/** Finds settings that were removed. Without this check, the service would start but miss change notifications. */
function findRemovedSettings(env: NodeJS.ProcessEnv): string[] {
  if (env.EVENTS?.trim() !== 'realtime') return [];
  return [
    'EVENTS=realtime was removed: remove EVENTS, and set DATABASE_URL or DIRECT_DATABASE_URL to the direct connection or the session pooler of the database, which support LISTEN',
  ];
}
