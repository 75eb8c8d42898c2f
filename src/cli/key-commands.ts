import { createApiKey, listApiKeys, revokeApiKey } from '../domain/api-keys/api-keys.ts';
import type { Context } from '../domain/context.ts';
import { findScope, isForbiddenWithFilter, scopeName } from '../domain/permissions.ts';
import { ApiKeyScope } from '../platform/postgres/generated/prisma/enums.ts';
import { withContext } from './cli-context.ts';
import { type Command, type CommandInvocation, stringOption, UsageError } from './command.ts';
import { resolveProjectOption } from './tenant-commands.ts';

const allScopes = Object.values(ApiKeyScope);

/**
 * A new key has these scopes only if the caller asks for them. They allow work as an agent and managing webhooks and
 * keys.
 */
const scopesOnRequest: readonly ApiKeyScope[] = ['HANDOFF_WRITE', 'WEBHOOKS_WRITE', 'KEYS_WRITE'];

export const keyCommands: Readonly<Record<string, Command>> = {
  'keys create': {
    usage: '[--project ID | --organization ID] [--name NAME] [--scopes a,b] [--filter JSON]',
    summary:
      'Creates an API key for a project or for an organization. Default: the only project, all scopes but handoff:write, webhooks:write and keys:write. With a filter, the key sees only documents that match, and cannot have knowledge:write or webhooks:write.',
    options: {
      project: stringOption,
      organization: stringOption,
      name: stringOption,
      scopes: stringOption,
      filter: stringOption,
    },
    async run(config, call) {
      const filter = parseJson(call.option('filter'));
      const scopes = parseScopes(call.option('scopes'), filter !== null);
      return withContext(config, call, async (context) => {
        const owner = await resolveKeyOwner(context, call);
        const { secret, apiKey } = await createApiKey(context, {
          ...owner,
          name: call.option('name') ?? 'Command line',
          scopes,
          filter,
        });
        return {
          text: `${secret}   (shown only once; id ${apiKey.id})`,
          json: { secret, id: apiKey.id, ...owner },
        };
      });
    },
  },

  'keys list': {
    usage: '[--organization ID]',
    summary: 'Lists the API keys of one organization. Default: all organizations.',
    options: { organization: stringOption },
    async run(config, call) {
      return withContext(config, call, async (context) => {
        const organizations = await listOrganizationIds(context, call.option('organization'));
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
    summary: 'Revokes an API key with immediate effect.',
    options: {},
    argument: 'the id of the key',
    async run(config, call) {
      const { argument: id } = call;
      const key = await withContext(config, call, (context) => revokeApiKey(context, { id }));
      return { text: `Revoked ${key.id}.`, json: { id: key.id, revokedAt: key.revokedAt } };
    },
  },
};

async function resolveKeyOwner(
  context: Context,
  call: CommandInvocation,
): Promise<{ organizationId: string; projectId: string | null }> {
  const organizationId = call.option('organization');
  if (organizationId !== undefined && call.option('project') !== undefined) {
    throw new UsageError('Use --project or --organization, not both.');
  }
  if (organizationId !== undefined) return { organizationId, projectId: null };
  const project = await resolveProjectOption(context, call);
  return { organizationId: project.organizationId, projectId: project.id };
}

async function listOrganizationIds({ db }: Context, named: string | undefined): Promise<string[]> {
  if (named !== undefined) return [named];
  const organizations = await db.organization.findMany({ orderBy: { id: 'asc' } });
  return organizations.map(({ id }) => id);
}

/** @throws UsageError when the text is not valid JSON */
function parseJson(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--filter must be JSON, such as \'{"tags": {"in": ["public"]}}\'.');
  }
}

function parseScopes(list: string | undefined, hasFilter: boolean): ApiKeyScope[] {
  const isDefault = (scope: ApiKeyScope) =>
    !scopesOnRequest.includes(scope) && !(hasFilter && isForbiddenWithFilter(scope));
  if (list === undefined) return allScopes.filter(isDefault);
  return list.split(',').map((name) => {
    const scope = findScope(name.trim());
    if (scope !== null) return scope;
    throw new UsageError(`Unknown scope ${name}. Scopes: ${allScopes.map(scopeName).join(', ')}`);
  });
}
