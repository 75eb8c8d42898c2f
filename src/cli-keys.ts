import { type Command, type CommandCall, CommandError, textOption } from './cli-command.ts';
import { withContext } from './cli-context.ts';
import { namedProject } from './cli-tenants.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './domain/api-keys/api-keys.ts';
import { scopeName } from './domain/caller.ts';
import type { Context } from './domain/context.ts';
import { ApiKeyScope } from './domain/generated/prisma/enums.ts';

const allScopes = Object.values(ApiKeyScope);

export const keyCommands: Readonly<Record<string, Command>> = {
  'keys create': {
    usage: '[--project ID | --organization ID] [--name NAME] [--scopes a,b]',
    summary:
      'Makes a key with the scopes (default all) of a project (default the only one) or organization.',
    options: {
      project: textOption,
      organization: textOption,
      name: textOption,
      scopes: textOption,
    },
    async run(config, call) {
      const scopes = parseScopes(call.option('scopes'));
      return withContext(config, call, async (context) => {
        const place = await keyPlace(context, call);
        const { secret, apiKey } = await createApiKey(context, {
          ...place,
          name: call.option('name') ?? 'Command line',
          scopes,
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
    options: { organization: textOption },
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
    argument: 'the id of the key',
    async run(config, call) {
      const { argument: id } = call;
      const key = await withContext(config, call, (context) => revokeApiKey(context, { id }));
      return { text: `Revoked ${key.id}.`, json: { id: key.id, revokedAt: key.revokedAt } };
    },
  },
};

async function keyPlace(
  context: Context,
  call: CommandCall,
): Promise<{ organizationId: string; projectId: string | null }> {
  const organizationId = call.option('organization');
  if (organizationId !== undefined && call.option('project') !== undefined) {
    throw new CommandError('Say --project or --organization, not both.');
  }
  if (organizationId !== undefined) return { organizationId, projectId: null };
  const project = await namedProject(context, call);
  return { organizationId: project.organizationId, projectId: project.id };
}

async function organizationIds({ db }: Context, named: string | undefined): Promise<string[]> {
  if (named !== undefined) return [named];
  const organizations = await db.organization.findMany({ orderBy: { id: 'asc' } });
  return organizations.map(({ id }) => id);
}

function parseScopes(list: string | undefined): ApiKeyScope[] {
  if (list === undefined) return allScopes;
  return list.split(',').map((name) => {
    const scope = allScopes.find((known) => scopeName(known) === name.trim());
    if (scope !== undefined) return scope;
    throw new CommandError(`Unknown scope ${name}. Scopes: ${allScopes.map(scopeName).join(', ')}`);
  });
}
