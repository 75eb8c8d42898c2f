import type { Config } from '../config/config.ts';
import type { Context } from '../domain/context.ts';
import { type EndUserInput, eraseEndUser } from '../domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../domain/end-users/export-end-user.ts';
import { withContext } from './cli-context.ts';
import { type Command, type CommandInvocation, stringOption } from './command.ts';
import { resolveProjectOption } from './tenant-commands.ts';

const usage = 'END_USER_ID [--project ID]';
const options = { project: stringOption };
const argument = "the end user's id";

export const endUserCommands: Readonly<Record<string, Command>> = {
  'end-users export': {
    usage,
    summary: 'Prints all stored data of an end user as JSON. Default: the only project.',
    options,
    argument,
    async run(config, call) {
      const json = await withEndUser(config, call, exportEndUser);
      return { text: JSON.stringify(json, null, 2), json };
    },
  },

  'end-users erase': {
    usage,
    summary: 'Deletes all stored data of an end user. Default: the only project.',
    options,
    argument,
    async run(config, call) {
      const json = await withEndUser(config, call, eraseEndUser);
      const counts = Object.entries(json).map(([what, count]) => `${what} ${count}`);
      return { text: `Erased: ${counts.join(', ')}.`, json };
    },
  },
};

/** Normalizes the id to NFC, the form in which the API stores ids. */
function withEndUser<T>(
  config: Config,
  call: CommandInvocation,
  work: (context: Context, endUser: EndUserInput) => Promise<T>,
): Promise<T> {
  return withContext(config, call, async (context) => {
    const { id: projectId } = await resolveProjectOption(context, call);
    return work(context, { projectId, endUserId: call.argument.normalize('NFC') });
  });
}
