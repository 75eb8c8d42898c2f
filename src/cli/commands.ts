import { reindex } from '../domain/knowledge/ingestion/reindex.ts';
import {
  loadTokenVerification,
  operatorClaims,
  signToken,
  type TokenClaims,
} from '../server/token.ts';
import { auditCommands } from './audit-commands.ts';
import { warnOfPgvectorFaults, withContext, withDatabase } from './cli-context.ts';
import { type Command, stringOption, UsageError } from './command.ts';
import { conversationCommands } from './conversation-commands.ts';
import { endUserCommands } from './end-user-commands.ts';
import { evaluationCommands } from './evaluation-commands.ts';
import { keyCommands } from './key-commands.ts';
import { memberCommands } from './member-commands.ts';
import { moveCommands } from './move-command.ts';
import { questionCommands } from './question-commands.ts';
import { secretCommands } from './secret-commands.ts';
import { signInCommands } from './sign-in-commands.ts';
import { syncCommands } from './sync-command.ts';
import { tenantCommands } from './tenant-commands.ts';

/** All commands by name. */
export const commands: Readonly<Record<string, Command>> = {
  migrate: {
    usage: '',
    summary: 'Applies pending database migrations.',
    options: {},
    async run(config, call) {
      const { applied } = await withDatabase(config, call, async (database) => {
        // The embedded database comes with the service, so its pgvector cannot be updated.
        if (config.databaseUrl !== null) await warnOfPgvectorFaults(database, call);
        return database;
      });
      return {
        text:
          applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
        json: { applied },
      };
    },
  },

  token: {
    usage: '--role service_role|authenticated [--email ADDRESS]',
    summary: 'Prints a GraphQL token, signed with the shared secret and valid for 12 hours.',
    options: { role: stringOption, email: stringOption },
    async run(config, call) {
      const tokenVerification = await loadTokenVerification(config);
      if (tokenVerification.type !== 'secret') {
        throw new UsageError(
          'Supabase Auth issues the tokens of operators. As the service role, send SUPABASE_SECRET_KEY instead of a token.',
        );
      }
      const claims = tokenClaims(call.option('role'), call.option('email'));
      const token = await signToken(tokenVerification.secret, claims);
      return { text: token, json: { token } };
    },
  },

  ...signInCommands,
  ...keyCommands,
  ...tenantCommands,
  ...memberCommands,
  ...conversationCommands,
  ...endUserCommands,
  ...secretCommands,
  ...auditCommands,
  ...moveCommands,
  ...syncCommands,
  ...questionCommands,
  ...evaluationCommands,

  reindex: {
    usage: '',
    summary: 'Embeds all chunks with the configured model, then switches search to that model.',
    options: {},
    async run(config, call) {
      const report = await withContext(config, call, (context) =>
        reindex(context, (count) => call.logProgress(`${count} chunks embedded`)),
      );
      return {
        text: `Search now uses ${report.model}; ${report.embeddedChunks} chunks were embedded.`,
        json: report,
      };
    },
  },

  worker: {
    usage: '',
    summary: 'Runs background jobs until it is stopped. Requires DATABASE_URL.',
    options: {},
    async run(config, call) {
      if (config.databaseUrl === null) {
        throw new UsageError(
          'A separate worker requires DATABASE_URL: the embedded database serves one process only.',
        );
      }
      const stopped = new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
      });
      // Imported only here: this import takes half as long as the whole start of another command.
      const { startService } = await import('../server/service.ts');
      const service = await startService(
        { ...config, role: 'worker' },
        { onProgress: call.logProgress, onFatal: (error) => call.logProgress(error.message) },
      );
      call.logProgress(`The worker is ready. Health and metrics: ${service.url}`);
      await stopped;
      await service.stop();
      return { text: 'Stopped.', json: { stopped: true } };
    },
  },
};

function tokenClaims(role: string | undefined, email: string | undefined): TokenClaims {
  if (role === 'service_role') return { role };
  if (role !== 'authenticated') {
    throw new UsageError('--role must be service_role or authenticated');
  }
  if (email === undefined) throw new UsageError('--email is required for the role authenticated');
  return operatorClaims(email);
}
