import { demoOperatorEmail, seedDemo } from '../../supabase/seed.ts';
import type { Config } from '../config/config.ts';
import type { Context } from '../domain/context.ts';
import { createSignInPath } from '../domain/sign-in/sign-in-links.ts';
import { loadTokenVerification } from '../server/token.ts';
import { withContext } from './cli-context.ts';
import { type Command, stringOption, UsageError } from './command.ts';
import { readEmail } from './email-option.ts';
import { linkUrl } from './service-url.ts';

/** Commands that print a link to the dashboard. */
export const signInCommands: Readonly<Record<string, Command>> = {
  seed: {
    usage: '[--owner ADDRESS]',
    summary:
      'Creates an API key of the demo project, and a one-time link that signs its owner in. Creates the project if it is missing.',
    options: { owner: stringOption },
    async run(config, call) {
      const owner = readEmail(call, 'owner');
      if (owner === undefined && config.supabase !== null) {
        throw new UsageError(
          '--owner is required: the address with which you sign in through Supabase Auth',
        );
      }
      const { signInPath, ...demo } = await withContext(config, call, async (context) => ({
        ...(await seedDemo(context, owner)),
        signInPath: await findSignInPath(config, context, owner ?? demoOperatorEmail),
      }));
      const link = `${linkUrl(config)}${signInPath ?? '/dashboard'}`;
      return {
        text: [
          `Project    ${demo.projectId}`,
          `Key        ${demo.secret}   (shown only once)`,
          `Dashboard  ${link}${signInPath === null ? '' : '   (signs you in, once, within 24 hours)'}`,
        ].join('\n'),
        json: { ...demo, signInPath },
      };
    },
  },

  'sign-in': {
    usage: '[--email ADDRESS]',
    summary:
      'Prints a one-time link, valid for 24 hours, that signs an operator in to the dashboard. Default: the demo operator.',
    options: { email: stringOption },
    async run(config, call) {
      const email = readEmail(call, 'email') ?? demoOperatorEmail;
      const { path, isMember } = await withContext(config, call, async (context) => ({
        path: await findSignInPath(config, context, email),
        isMember: (await context.db.member.count({ where: { email: email.toLowerCase() } })) > 0,
      }));
      if (path === null) {
        throw new UsageError(
          'Operators sign in with Supabase Auth: open the dashboard and sign in there.',
        );
      }
      if (!isMember) {
        call.logProgress(
          `${email} is not a member of any organization. Invite this person: npm run cli -- members invite --email ${email} --role agent`,
        );
      }
      return { text: `${linkUrl(config)}${path}`, json: { path, email, isMember } };
    },
  },
};

/** Returns the path of a one-time sign-in link, or null if operators sign in with Supabase Auth. */
async function findSignInPath(
  config: Config,
  context: Context,
  email: string,
): Promise<string | null> {
  const { type } = await loadTokenVerification(config);
  return type === 'secret' ? createSignInPath(context, email) : null;
}
