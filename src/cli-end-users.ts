import { type Command, type CommandCall, textOption } from './cli-command.ts';
import { withContext } from './cli-context.ts';
import { namedProject } from './cli-tenants.ts';
import type { Config } from './config.ts';
import type { Context } from './domain/context.ts';
import { type EndUserInput, eraseEndUser } from './domain/end-users/erase-end-user.ts';
import { exportEndUser } from './domain/end-users/export-end-user.ts';

const usage = 'END_USER_ID [--project ID]';
const options = { project: textOption };
const argument = "the end user's id";

export const endUserCommands: Readonly<Record<string, Command>> = {
  'end-users export': {
    usage,
    summary: 'Prints all that is stored of an end user of a project (default the only one).',
    options,
    argument,
    async run(config, call) {
      const json = await withEndUser(config, call, exportEndUser);
      return { text: JSON.stringify(json, null, 2), json };
    },
  },

  'end-users erase': {
    usage,
    summary: 'Removes all that is stored of an end user of a project (default the only one).',
    options,
    argument,
    async run(config, call) {
      const json = await withEndUser(config, call, eraseEndUser);
      const counts = Object.entries(json).map(([what, count]) => `${what} ${count}`);
      return { text: `Erased: ${counts.join(', ')}.`, json };
    },
  },
};

/** As they come through the API, ids are stored in NFC. */
function withEndUser<T>(
  config: Config,
  call: CommandCall,
  work: (context: Context, endUser: EndUserInput) => Promise<T>,
): Promise<T> {
  return withContext(config, call, async (context) => {
    const { id: projectId } = await namedProject(context, call);
    return work(context, { projectId, endUserId: call.argument.normalize('NFC') });
  });
}
