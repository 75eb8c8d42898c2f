import { resolve } from 'node:path';
import { z } from 'zod';

/** Everything an operator can choose, read once at start and handed down. */
export interface Config {
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** How many proxies a request comes through, whose word for its sender's address is taken. */
  readonly trustedProxies: number;
  /** Absolute folder of the embedded database and of uploaded files. */
  readonly dataDir: string;
  /** A real Postgres, or null for the embedded database. */
  readonly databaseUrl: string | null;
  /** The same Postgres without a pooler between, or null where `databaseUrl` has none. */
  readonly directDatabaseUrl: string | null;
  /** The most connections at once for requests and jobs. */
  readonly databasePoolSize: number;
  /** How long a statement may take on it; null for any time. */
  readonly statementTimeoutMs: number | null;
  /** The same Postgres, for the role that owns the tables; null where `databaseUrl` is that role's. */
  readonly migrationDatabaseUrl: string | null;
  /** Supabase's Storage, Realtime and Auth, or null for the local ones. */
  readonly supabase: SupabaseConfig | null;
  /** By what nodes are told of changes: LISTEN and NOTIFY, or Supabase Realtime. */
  readonly events: EventsChoice;
  /** An OpenAI-compatible server, or null when every model is built in. */
  readonly openAi: OpenAiConfig | null;
  /** A server that reads each hit with the question and puts them in order, or null for none. */
  readonly rerank: RerankConfig | null;
  /** Signs and checks operators' tokens on every machine; null for a secret in the data directory. */
  readonly jwtSecret: string | null;
  readonly role: Role;
  /** Where a worker tells its health and measures; 0 asks the system for a free port. */
  readonly workerPort: number;
  /** How long it is told that the service stops before no new requests are taken. */
  readonly stopDelayMs: number;
  /** How long running requests, streams and jobs may go on then. */
  readonly stopGraceMs: number;
  readonly logLevel: LogLevel;
  /** Lets webhooks reach private addresses, and go unencrypted. For development only. */
  readonly allowPrivateWebhooks: boolean;
  readonly isGraphiqlOn: boolean;
}

export interface SupabaseConfig {
  /** Origin without a trailing slash. */
  readonly url: string;
  readonly secretKey: string;
  /** The project's shared signing secret, or null when tokens are checked against its published keys. */
  readonly jwtSecret: string | null;
  /** What browsers show to Supabase Auth; without it nobody can sign in to the dashboard. */
  readonly publishableKey: string | null;
}

export interface OpenAiConfig {
  /** Without a trailing slash, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Null: that part is done by the built-in model. */
  readonly chatModel: string | null;
  readonly embeddingModel: string | null;
}

export interface RerankConfig {
  /** Without a trailing slash; `/rerank` is added. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
}

export type Role = (typeof roles)[number];
export type EventsChoice = (typeof eventsChoices)[number];
export type LogLevel = (typeof logLevels)[number];

/** Says everything that is wrong with the settings, so that one correction is enough. */
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
 * Reads the environment. An empty or blank variable counts as not set.
 * Throws `ConfigError` with every problem; a message never repeats the value of a secret.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = givenSettings(env);
  const parsed = settings.safeParse(given);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => invalidSetting(issue, given))),
    ...missingCompanions(given),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const value = parsed.data;
  return Object.freeze({
    host: value.HOST,
    port: value.PORT,
    trustedProxies: value.TRUSTED_PROXIES,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL ?? null,
    directDatabaseUrl: value.DIRECT_DATABASE_URL ?? null,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    statementTimeoutMs: value.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1_000 || null,
    migrationDatabaseUrl: value.MIGRATION_DATABASE_URL ?? null,
    supabase: supabaseConfig(value),
    events: value.EVENTS,
    openAi: openAiConfig(value),
    rerank: rerankConfig(value),
    jwtSecret: value.JWT_SECRET ?? null,
    role: value.ROLE,
    workerPort: value.WORKER_PORT,
    stopDelayMs: value.STOP_DELAY_SECONDS * 1_000,
    stopGraceMs: value.STOP_GRACE_SECONDS * 1_000,
    logLevel: value.LOG_LEVEL,
    allowPrivateWebhooks: value.ALLOW_PRIVATE_WEBHOOKS,
    isGraphiqlOn: value.GRAPHIQL ?? value.NODE_ENV !== 'production',
  });
}

const roles = ['all', 'api', 'worker'] as const;
const eventsChoices = ['postgres', 'realtime'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const text = z.string();
const postgresUrlWanted =
  'must be a Postgres URL, such as postgresql://user:password@host:5432/database';
const flag = choice(['true', 'false']).transform((value) => value === 'true');

const settings = z.object({
  PORT: port('3000').default(3000),
  HOST: text
    .regex(/^[\w.:-]+$/, 'must be an address or a host name to listen on, such as 127.0.0.1')
    .default('127.0.0.1'),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  DATA_DIR: text.default('./data').transform((path) => resolve(path)),
  DATABASE_URL: url(/^postgres(ql)?$/, postgresUrlWanted).optional(),
  DIRECT_DATABASE_URL: url(/^postgres(ql)?$/, postgresUrlWanted).optional(),
  MIGRATION_DATABASE_URL: url(/^postgres(ql)?$/, postgresUrlWanted).optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 1_000).default(10),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: wholeNumber(0, 3_600).default(30),
  SUPABASE_URL: url(
    /^https?$/,
    'must be the address of the Supabase project, such as https://abcd.supabase.co',
  ).optional(),
  SUPABASE_SECRET_KEY: text.optional(),
  SUPABASE_PUBLISHABLE_KEY: text.optional(),
  SUPABASE_JWT_SECRET: text
    .min(
      32,
      'must have at least 32 characters; leave it out to check tokens against published keys',
    )
    .optional(),
  EVENTS: choice(eventsChoices).default('postgres'),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: url(
    /^https?$/,
    'must be the address of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1',
  ).optional(),
  CHAT_MODEL: text.optional(),
  EMBEDDING_MODEL: text.optional(),
  RERANK_MODEL: text.optional(),
  RERANK_BASE_URL: url(
    /^https?$/,
    'must be the address of a server with POST /rerank, such as http://127.0.0.1:8000/v1',
  ).optional(),
  RERANK_API_KEY: text.optional(),
  JWT_SECRET: text.min(32, 'must have at least 32 characters').optional(),
  ROLE: choice(roles).default('all'),
  WORKER_PORT: port('3001').default(0),
  STOP_DELAY_SECONDS: wholeNumber(0, 300).default(0),
  STOP_GRACE_SECONDS: wholeNumber(0, 3_600).default(30),
  LOG_LEVEL: choice(logLevels).default('info'),
  ALLOW_PRIVATE_WEBHOOKS: flag.default(false),
  GRAPHIQL: flag.optional(),
  NODE_ENV: text.optional(),
});

type Settings = z.infer<typeof settings>;
type Setting = keyof Settings;

/** Every variable the service reads, in the order of `.env.example`. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

const secrets = [
  'DATABASE_URL',
  'DIRECT_DATABASE_URL',
  'JWT_SECRET',
  'MIGRATION_DATABASE_URL',
  'SUPABASE_SECRET_KEY',
  'SUPABASE_JWT_SECRET',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'RERANK_API_KEY',
  'RERANK_BASE_URL',
];

type Given = Readonly<Record<string, string | undefined>>;

function givenSettings(env: NodeJS.ProcessEnv): Given {
  return Object.fromEntries(
    settingNames.map((name) => [name, env[name]?.trim() || undefined] as const),
  );
}

function invalidSetting(issue: z.core.$ZodIssue, given: Given): string {
  const name = String(issue.path[0]);
  const shown = secrets.includes(name) ? 'is not usable' : `is ${JSON.stringify(given[name])}`;
  return `${name} ${shown}: it ${issue.message}`;
}

const supabaseCompanions = [
  'SUPABASE_SECRET_KEY',
  'SUPABASE_JWT_SECRET',
  'SUPABASE_PUBLISHABLE_KEY',
] as const;

/** Settings that are right on their own and make no sense together. */
function missingCompanions(given: Given): string[] {
  const has = (name: Setting) => given[name] !== undefined;
  const problems: string[] = [];
  if (has('SUPABASE_URL') && !has('SUPABASE_SECRET_KEY')) {
    problems.push(
      'SUPABASE_SECRET_KEY is not set: with SUPABASE_URL it must be the secret key of that project (sb_secret_… or the service_role key)',
    );
  }
  for (const name of supabaseCompanions) {
    if (has(name) && !has('SUPABASE_URL')) {
      problems.push(`SUPABASE_URL is not set: with ${name} it must be the address of the project`);
    }
  }
  if (given.EVENTS === 'realtime' && !(has('SUPABASE_URL') && has('DATABASE_URL'))) {
    problems.push(
      'SUPABASE_URL and DATABASE_URL must be those of one Supabase project with EVENTS=realtime: the database sends the events, and Realtime carries them',
    );
  }
  if (has('JWT_SECRET') && has('SUPABASE_URL')) {
    problems.push(
      'JWT_SECRET is set with SUPABASE_URL: tokens are issued by Supabase Auth then, so leave it out',
    );
  }
  if (has('DIRECT_DATABASE_URL') && !has('DATABASE_URL')) {
    problems.push('DATABASE_URL is not set: DIRECT_DATABASE_URL is only for use beside it');
  }
  if (has('MIGRATION_DATABASE_URL') && !has('DATABASE_URL')) {
    problems.push(
      'DATABASE_URL is not set: with MIGRATION_DATABASE_URL it must be the same database, for the role that serves',
    );
  }
  const hasServer = has('OPENAI_API_KEY') || has('OPENAI_BASE_URL');
  for (const name of ['CHAT_MODEL', 'EMBEDDING_MODEL'] as const) {
    if (has(name) && !hasServer) {
      problems.push(
        `${name} is set without a server: set OPENAI_API_KEY or OPENAI_BASE_URL, or leave ${name} out to use the built-in model`,
      );
    }
  }
  if (has('OPENAI_BASE_URL') && !has('CHAT_MODEL') && !has('EMBEDDING_MODEL')) {
    problems.push(
      'CHAT_MODEL and EMBEDDING_MODEL are not set: with OPENAI_BASE_URL at least one must name a model of that server',
    );
  }
  if (has('RERANK_MODEL') !== has('RERANK_BASE_URL')) {
    problems.push(
      'RERANK_MODEL and RERANK_BASE_URL belong together: the model, and the address of the server that has it',
    );
  } else if (has('RERANK_API_KEY') && !has('RERANK_MODEL')) {
    problems.push('RERANK_MODEL is not set: RERANK_API_KEY is only for use beside it');
  }
  if ((given.ROLE === 'api' || given.ROLE === 'worker') && !has('DATABASE_URL')) {
    problems.push(
      `DATABASE_URL is not set: with ROLE=${given.ROLE} it must be a Postgres URL, because the embedded database serves one process`,
    );
  }
  return problems;
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

function openAiConfig(value: Settings): OpenAiConfig | null {
  if (!value.OPENAI_API_KEY && !value.OPENAI_BASE_URL) return null;
  const isKeyAlone = !value.OPENAI_BASE_URL && !value.CHAT_MODEL && !value.EMBEDDING_MODEL;
  return Object.freeze({
    baseUrl: value.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    apiKey: value.OPENAI_API_KEY ?? null,
    chatModel: value.CHAT_MODEL ?? (isKeyAlone ? 'gpt-5.4-mini' : null),
    embeddingModel: value.EMBEDDING_MODEL ?? (isKeyAlone ? 'text-embedding-3-small' : null),
  });
}

function rerankConfig(value: Settings): RerankConfig | null {
  if (!value.RERANK_MODEL || !value.RERANK_BASE_URL) return null;
  return Object.freeze({
    baseUrl: value.RERANK_BASE_URL,
    apiKey: value.RERANK_API_KEY ?? null,
    model: value.RERANK_MODEL,
  });
}

function port(example: string) {
  return text
    .refine(
      (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
      `must be a whole number from 0 to 65535, such as ${example}`,
    )
    .transform(Number);
}

function wholeNumber(least: number, most: number) {
  return text
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `must be a whole number from ${least} to ${most}`,
    )
    .transform(Number);
}

function url(protocol: RegExp, message: string) {
  return text
    .refine((value) => {
      const parsed = URL.parse(value);
      return parsed !== null && protocol.test(parsed.protocol.slice(0, -1)) && parsed.host !== '';
    }, message)
    .transform((value) => value.replace(/\/+$/, ''));
}

function choice<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}
