import {
  type Command,
  type CommandCall,
  CommandError,
  requireOption,
  textOption,
} from './cli-command.ts';
import { withContext } from './cli-context.ts';
import type { Context } from './domain/context.ts';
import { createOrganization } from './domain/organizations/organizations.ts';
import { createProject } from './domain/organizations/projects.ts';
import { requireOrganization } from './domain/organizations/require-organization.ts';
import { type Project, requireProject } from './domain/organizations/require-project.ts';

export const tenantCommands: Readonly<Record<string, Command>> = {
  'organizations list': {
    usage: '',
    summary: 'Lists all organizations.',
    options: {},
    async run(config, call) {
      const organizations = await withContext(config, call, ({ db }) =>
        db.organization.findMany({ orderBy: { id: 'asc' } }),
      );
      const json = organizations.map(({ id, name, planName: plan, createdAt }) => ({
        id,
        name,
        plan,
        createdAt,
      }));
      const lines = json.map(({ id, name, plan }) => [id, plan, name].join('  '));
      return { text: lines.join('\n') || 'There are no organizations.', json };
    },
  },

  'organizations create': {
    usage: '--name NAME [--plan PLAN]',
    summary: 'Makes an organization, on the plan free unless another is named.',
    options: { name: textOption, plan: textOption },
    async run(config, call) {
      const input = { name: requireOption(call, 'name'), plan: call.option('plan') ?? null };
      const { id, name, planName } = await withContext(config, call, (context) =>
        createOrganization(context, input),
      );
      return { text: `Organization ${id}`, json: { id, name, plan: planName } };
    },
  },

  'projects list': {
    usage: '[--organization ID]',
    summary: 'Lists the projects of all organizations, or of one.',
    options: { organization: textOption },
    async run(config, call) {
      const named = call.option('organization');
      const projects = await withContext(config, call, async (context) => {
        if (named !== undefined) await requireOrganization(context, named, 'organization:read');
        const where = named === undefined ? {} : { organizationId: named };
        return context.db.project.findMany({ where, orderBy: { id: 'asc' } });
      });
      const json = projects.map(({ id, organizationId, name, createdAt }) => ({
        id,
        organizationId,
        name,
        createdAt,
      }));
      const lines = json.map(({ id, organizationId, name }) =>
        [id, organizationId, name].join('  '),
      );
      return { text: lines.join('\n') || 'There are no projects.', json };
    },
  },

  'projects create': {
    usage: '--name NAME [--organization ID]',
    summary: 'Makes a project in an organization (default the only one).',
    options: { name: textOption, organization: textOption },
    async run(config, call) {
      const name = requireOption(call, 'name');
      const { id, organizationId } = await withContext(config, call, async (context) =>
        createProject(context, { organizationId: await namedOrganization(context, call), name }),
      );
      return { text: `Project ${id}`, json: { id, organizationId, name } };
    },
  },
};

/** The project that `--project` names, else the only one there is. Throws `CommandError` and `NOT_FOUND`. */
export async function namedProject(context: Context, call: CommandCall): Promise<Project> {
  const named = call.option('project');
  if (named !== undefined) return requireProject(context, named, 'organization:manage');
  const [only, other] = await context.db.project.findMany({ take: 2, orderBy: { id: 'asc' } });
  if (only === undefined) {
    throw new CommandError('There is no project yet. Make one: npm run cli -- seed');
  }
  if (other !== undefined) {
    throw new CommandError('There are several projects: name one. List them: projects list');
  }
  return only;
}

async function namedOrganization({ db }: Context, call: CommandCall): Promise<string> {
  const named = call.option('organization');
  if (named !== undefined) return named;
  const [only, other] = await db.organization.findMany({ take: 2, orderBy: { id: 'asc' } });
  if (only === undefined) {
    throw new CommandError('There is no organization yet. Make one: organizations create');
  }
  if (other !== undefined) {
    throw new CommandError('There are several organizations: name one with --organization.');
  }
  return only.id;
}
