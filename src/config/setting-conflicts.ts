import { flag } from './setting-fields.ts';
import { findSecretKeyProblem } from './supabase-key.ts';

const supabaseSettings = ['SUPABASE_SECRET_KEY', 'SUPABASE_JWT_SECRET', 'SUPABASE_PUBLISHABLE_KEY'];

/** Whether the value of `WEB_CONCURRENCY` asks for several processes, maybe on another machine. */
function isSeveral(concurrency: string | undefined): boolean {
  return concurrency !== undefined && concurrency !== '1';
}

/** Finds settings that are valid individually but not in combination. */
export function findConflictingSettings(
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  const has = (name: string) => given[name] !== undefined;
  const hasServer = has('OPENAI_API_KEY') || has('OPENAI_BASE_URL');
  const allowsPrivateSources = flag().safeParse(given.ALLOW_PRIVATE_SOURCES).data === true;
  const isOneOfMany = given.ROLE === 'api' || given.ROLE === 'worker';
  const problems = [
    has('SUPABASE_URL') &&
      !has('SUPABASE_SECRET_KEY') &&
      'SUPABASE_SECRET_KEY is not set: with SUPABASE_URL it must be the secret key of that project (sb_secret_… or the service_role key)',
    findSecretKeyProblem(given.SUPABASE_SECRET_KEY),
    ...supabaseSettings.map(
      (name) =>
        has(name) &&
        !has('SUPABASE_URL') &&
        `SUPABASE_URL is not set: with ${name} it must be the address of the project`,
    ),
    has('JWT_SECRET') &&
      has('SUPABASE_URL') &&
      'JWT_SECRET is set with SUPABASE_URL: Supabase Auth issues the tokens, so remove JWT_SECRET',
    has('DIRECT_DATABASE_URL') &&
      !has('DATABASE_URL') &&
      'DATABASE_URL is not set: DIRECT_DATABASE_URL is only for use beside it',
    has('DATABASE_REPLICA_URLS') &&
      !has('DATABASE_URL') &&
      'DATABASE_URL is not set: with DATABASE_REPLICA_URLS it must be the primary of these replicas',
    has('MIGRATION_DATABASE_URL') &&
      !has('DATABASE_URL') &&
      'DATABASE_URL is not set: with MIGRATION_DATABASE_URL it must be the same database, for the role that serves',
    ...['CHAT_MODEL', 'EMBEDDING_MODEL'].map(
      (name) =>
        has(name) &&
        !hasServer &&
        `${name} is set without a server: set OPENAI_API_KEY or OPENAI_BASE_URL, or leave ${name} out to use the built-in model`,
    ),
    has('OPENAI_BASE_URL') &&
      !has('CHAT_MODEL') &&
      !has('EMBEDDING_MODEL') &&
      'CHAT_MODEL and EMBEDDING_MODEL are not set: with OPENAI_BASE_URL at least one must name a model of that server',
    has('RERANK_MODEL') !== has('RERANK_BASE_URL')
      ? 'RERANK_MODEL and RERANK_BASE_URL belong together: the model, and the address of the server that has it'
      : has('RERANK_API_KEY') &&
        !has('RERANK_MODEL') &&
        'RERANK_MODEL is not set: RERANK_API_KEY is only for use beside it',
    given.NOTION_API_URL?.startsWith('http:') &&
      !allowsPrivateSources &&
      'NOTION_API_URL begins with http: it must begin with https, because the tokens of sources are sent there, or be used with ALLOW_PRIVATE_SOURCES=true for development',
    isSeveral(given.WEB_CONCURRENCY) &&
      !has('DATABASE_URL') &&
      'DATABASE_URL is not set: with WEB_CONCURRENCY it must be a Postgres URL, because the embedded database serves one process',
    isSeveral(given.WEB_CONCURRENCY) &&
      given.ROLE === 'worker' &&
      'WEB_CONCURRENCY is set with ROLE=worker: it is the number of API processes, so leave it out',
    isOneOfMany &&
      !has('DATABASE_URL') &&
      `DATABASE_URL is not set: with ROLE=${given.ROLE} it must be a Postgres URL, because the embedded database serves one process`,
  ];
  return problems.filter((problem) => typeof problem === 'string');
}
