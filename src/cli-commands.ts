import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import pg from 'pg';
import { v5 } from 'uuid';
import { seedDemo } from '../supabase/seed.ts';
import type { Config } from './config.ts';
import { connectionFile, type Database, openDatabase } from './database.ts';
import { startAdapters } from './domain/adapters.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './domain/api-keys/api-keys.ts';
import { scopeName } from './domain/caller.ts';
import { type Context, systemContext } from './domain/context.ts';
import { ApiKeyScope } from './domain/generated/prisma/enums.ts';
import { reindex } from './domain/knowledge/reindex.ts';
import { requireProject } from './domain/organizations/require-project.ts';
import { createLog } from './log.ts';
import { createMetrics } from './observability/metrics.ts';
import { startService } from './service.ts';
import { signToken, type TokenClaims, tokenTrust } from './token.ts';

interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(config: Config, call: CommandCall): Promise<CommandResult>;
}

interface CommandCall {
  option(name: string): string | undefined;
  readonly positionals: readonly string[];
  note(message: string): void;
}

interface CommandResult {
  readonly text: string;
  readonly json: unknown;
}

const text = { type: 'string' } as const;
const scopes = Object.values(ApiKeyScope);

/** What an operator can do from a terminal. */
export const commands: Readonly<Record<string, Command>> = {
  migrate: {
    usage: '',
    summary: 'Brings the database up to date.',
    options: {},
    async run(config, call) {
      const { applied } = await withDatabase(config, call, async (database) => database);
      return {
        text:
          applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
        json: { applied },
      };
    },
  },

  seed: {
    usage: '',
    summary: 'Makes a demo organization, project and key.',
    options: {},
    async run(config, call) {
      const demo = await withContext(config, call, (context) => seedDemo(context));
      return {
        text: `Project ${demo.projectId}\nKey     ${demo.secret}   (shown only now)`,
        json: demo,
      };
    },
  },

  token: {
    usage: '--role service_role|authenticated [--email ADDRESS]',
    summary: 'Prints a GraphQL token, signed with the shared secret and valid for 12 hours.',
    options: { role: text, email: text },
    async run(config, call) {
      const trust = await tokenTrust(config);
      if (trust.type !== 'secret') {
        throw new CommandError(
          'Tokens are issued by Supabase Auth here: SUPABASE_JWT_SECRET is not set.',
        );
      }
      const claims = tokenClaims(call.option('role'), call.option('email')?.toLowerCase());
      const token = await signToken(trust.secret, claims);
      return { text: token, json: { token } };
    },
  },

  'keys create': {
    usage: '[--project ID | --organization ID] [--name NAME] [--scopes a,b]',
    summary:
      'Makes a key with the scopes (default all) of a project (default the only one) or organization.',
    options: { project: text, organization: text, name: text, scopes: text },
    async run(config, call) {
      return withContext(config, call, async (context) => {
        const place = await keyPlace(context, call);
        const { secret, apiKey } = await createApiKey(context, {
          ...place,
          name: call.option('name') ?? 'Command line',
          scopes: parseScopes(call.option('scopes')),
        });
        return {
          text: `${secret}   (shown only now; id ${apiKey.id})`,
          json: { secret, id: apiKey.id, ...place },
        };
      });
    },
  },

  'keys list': {
    usage: '[--organization ID]',
    summary: 'Lists the keys of all organizations, or of one.',
    options: { organization: text },
    async run(config, call) {
      return withContext(config, call, async (context) => {
        const organizations = await organizationIds(context, call.option('organization'));
        const lists = organizations.map((id) => listApiKeys(context, { organizationId: id }));
        const keys = (await Promise.all(lists)).flat().map(({ hash: _, ...key }) => key);
        const line = (key: (typeof keys)[number]) =>
          [
            key.id,
            `${key.prefix}…${key.lastFour}`,
            key.revokedAt ? 'revoked' : 'valid  ',
            key.projectId ?? 'org-wide',
            key.scopes.map(scopeName).join(','),
            key.name,
          ].join('  ');
        return { text: keys.map(line).join('\n') || 'There are no keys.', json: keys };
      });
    },
  },

  'keys revoke': {
    usage: 'ID',
    summary: 'Ends a key at once.',
    options: {},
    async run(config, call) {
      const id = call.positionals[0];
      if (id === undefined) throw new CommandError('Name the id of the key.');
      const key = await withContext(config, call, (context) => revokeApiKey(context, { id }));
      return { text: `Revoked ${key.id}.`, json: { id: key.id, revokedAt: key.revokedAt } };
    },
  },

  reindex: {
    usage: '',
    summary: 'Embeds all chunks with the configured model, then changes over to it.',
    options: {},
    async run(config, call) {
      const report = await withContext(config, call, (context) =>
        reindex(context, (count) => call.note(`${count} chunks embedded`)),
      );
      return {
        text: `${report.model} serves now; ${report.embeddedChunks} chunks were embedded.`,
        json: report,
      };
    },
  },

  worker: {
    usage: '',
    summary: 'Works on jobs until it is stopped. Needs DATABASE_URL.',
    options: {},
    async run(config, call) {
      if (config.databaseUrl === null) {
        throw new CommandError(
          'A separate worker needs DATABASE_URL: the embedded database serves one process.',
        );
      }
      const stopped = new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
      });
      const service = await startService(
        { ...config, role: 'worker' },
        { onProgress: call.note, onFatal: (error) => call.note(error.message) },
      );
      call.note('The worker is ready.');
      await stopped;
      await service.stop();
      return { text: 'Stopped.', json: { stopped: true } };
    },
  },
};

/** A mistake in how a command was called; the message says how to call it. */
class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Local operators are known by their address: the same one always gives the same user id. */
function tokenClaims(role: string | undefined, email: string | undefined): TokenClaims {
  if (role === 'service_role') return { role };
  if (role !== 'authenticated') {
    throw new CommandError('--role must be service_role or authenticated');
  }
  if (email === undefined) throw new CommandError('--email is needed for the role authenticated');
  return { role, email, sub: v5(email, v5.URL) };
}

async function keyPlace(
  context: Context,
  call: CommandCall,
): Promise<{ organizationId: string; projectId: string | null }> {
  const organizationId = call.option('organization');
  if (organizationId !== undefined) return { organizationId, projectId: null };
  const named = call.option('project');
  if (named !== undefined) {
    const project = await requireProject(context, named, 'organization:manage');
    return { organizationId: project.organizationId, projectId: project.id };
  }
  const projects = await context.db.project.findMany({ take: 2, orderBy: { id: 'asc' } });
  const [only, other] = projects;
  if (only === undefined)
    throw new CommandError('There is no project yet. Make one: npm run cli -- seed');
  if (other !== undefined)
    throw new CommandError('There are several projects: say --project or --organization.');
  return { organizationId: only.organizationId, projectId: only.id };
}

async function organizationIds({ db }: Context, named: string | undefined): Promise<string[]> {
  if (named !== undefined) return [named];
  const organizations = await db.organization.findMany({ orderBy: { id: 'asc' } });
  return organizations.map(({ id }) => id);
}

function parseScopes(list: string | undefined): ApiKeyScope[] {
  if (list === undefined) return scopes;
  return list.split(',').map((name) => {
    const scope = scopes.find((known) => scopeName(known) === name.trim());
    if (scope !== undefined) return scope;
    throw new CommandError(`Unknown scope ${name}. Scopes: ${scopes.map(scopeName).join(', ')}`);
  });
}

function withContext<T>(
  config: Config,
  call: CommandCall,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return withDatabase(config, call, async ({ url: databaseUrl }) => {
    const log = createLog('warn');
    const { metrics } = createMetrics();
    const settings = { ...config, databaseUrl, isWorker: false, metrics, log };
    const adapters = await startAdapters(settings);
    try {
      return await work(systemContext(adapters, new AbortController().signal));
    } finally {
      await adapters.stop();
    }
  });
}

/** The database, also while a running service holds the embedded one. */
async function withDatabase<T>(
  config: Config,
  { note }: CommandCall,
  work: (database: Pick<Database, 'url' | 'applied'>) => Promise<T>,
): Promise<T> {
  const running = config.databaseUrl === null ? await runningDatabase(config) : null;
  if (running !== null) return work({ url: running, applied: [] });
  const database = await openDatabase(config, {
    onProgress: () => {},
    onFatal: (error) => note(error.message),
  });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

/** Where a running service says that its embedded database is, if it still answers there. */
async function runningDatabase({ dataDir }: Config): Promise<string | null> {
  const url = await readFile(join(dataDir, connectionFile), 'utf8').catch(() => null);
  if (url === null) return null;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
