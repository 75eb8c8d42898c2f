import { demoOperator, seedDemo } from '../supabase/seed.ts';
import { type Command, CommandError, textOption } from './cli-command.ts';
import { withContext, withDatabase } from './cli-context.ts';
import { endUserCommands } from './cli-end-users.ts';
import { keyCommands } from './cli-keys.ts';
import { tenantCommands } from './cli-tenants.ts';
import { reindex } from './domain/knowledge/reindex.ts';
import { createSignInLink } from './domain/sign-in/operator-sessions.ts';
import { startService } from './service.ts';
import { operatorClaims, signToken, type TokenClaims, tokenTrust } from './token.ts';

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
    options: { role: textOption, email: textOption },
    async run(config, call) {
      const trust = await tokenTrust(config);
      if (trust.type !== 'secret') {
        throw new CommandError(
          'Tokens are issued by Supabase Auth here: SUPABASE_JWT_SECRET is not set.',
        );
      }
      const claims = tokenClaims(call.option('role'), call.option('email'));
      const token = await signToken(trust.secret, claims);
      return { text: token, json: { token } };
    },
  },

  'sign-in': {
    usage: '[--email ADDRESS]',
    summary:
      "Prints a link that signs an operator in to the dashboard (default the demo's), once, within a day.",
    options: { email: textOption },
    async run(config, call) {
      if ((await tokenTrust(config)).type !== 'secret') {
        throw new CommandError('Operators sign in with Supabase Auth here.');
      }
      const email = call.option('email') ?? demoOperator;
      const secret = await withContext(config, call, (context) => createSignInLink(context, email));
      const path = `/dashboard/#sign-in=${secret}`;
      return { text: `http://${config.host}:${config.port}${path}`, json: { path, email } };
    },
  },

  ...keyCommands,
  ...tenantCommands,
  ...endUserCommands,

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
      call.note(`The worker is ready. Health and metrics: ${service.url}`);
      await stopped;
      await service.stop();
      return { text: 'Stopped.', json: { stopped: true } };
    },
  },
};

function tokenClaims(role: string | undefined, email: string | undefined): TokenClaims {
  if (role === 'service_role') return { role };
  if (role !== 'authenticated') {
    throw new CommandError('--role must be service_role or authenticated');
  }
  if (email === undefined) throw new CommandError('--email is needed for the role authenticated');
  return operatorClaims(email);
}
