import type { Context } from '../domain/context.ts';
import type { Project } from '../domain/organizations/find-project.ts';
import { inviteMember } from '../domain/organizations/manage-members.ts';
import { createOrganization } from '../domain/organizations/organizations.ts';
import { createProject } from '../domain/organizations/projects.ts';
import { requireOrganization } from '../domain/organizations/require-organization.ts';
import { requireProject } from '../domain/organizations/require-project.ts';
import { withContext } from './cli-context.ts';
import {
  type Command,
  type CommandInvocation,
  requireOption,
  stringOption,
  UsageError,
} from './command.ts';
import { readEmail } from './email-option.ts';

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
    usage: '--name NAME [--plan PLAN] [--owner ADDRESS]',
    summary: 'Creates an organization, and invites its owner. Default plan: free.',
    options: { name: stringOption, plan: stringOption, owner: stringOption },
    async run(config, call) {
      const input = { name: requireOption(call, 'name'), plan: call.option('plan') ?? null };
      const owner = readEmail(call, 'owner');
      const { id, name, planName } = await withContext(config, call, async (context) => {
        const organization = await createOrganization(context, input);
        if (owner !== undefined) {
          const { id: organizationId } = organization;
          await inviteMember(context, { organizationId, email: owner, role: 'OWNER' });
        }
        return organization;
      });
      const json = { id, name, plan: planName, ...(owner !== undefined && { owner }) };
      return { text: `Organization ${id}`, json };
    },
  },

  'projects list': {
    usage: '[--organization ID]',
    summary: 'Lists the projects of one organization. Default: all organizations.',
    options: { organization: stringOption },
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
    summary: 'Creates a project in an organization. Default: the only organization.',
    options: { name: stringOption, organization: stringOption },
    async run(config, call) {
      const name = requireOption(call, 'name');
      const { id, organizationId } = await withContext(config, call, async (context) =>
        createProject(context, {
          organizationId: await resolveOrganizationOption(context, call),
          name,
        }),
      );
      return { text: `Project ${id}`, json: { id, organizationId, name } };
    },
  },
};

/**
 * Returns the project with the id in `--project`. Without the option, returns the only project of the service.
 * @throws UsageError when the option is missing and the service does not have exactly one project
 * @throws DomainError NOT_FOUND when the project does not exist
 */
export async function resolveProjectOption(
  context: Context,
  call: CommandInvocation,
): Promise<Project> {
  const named = call.option('project');
  if (named !== undefined) return requireProject(context, named, 'organization:manage');
  const [only, other] = await context.db.project.findMany({ take: 2, orderBy: { id: 'asc' } });
  if (only === undefined) {
    throw new UsageError('There is no project yet. Create one: npm run cli -- seed');
  }
  if (other !== undefined) {
    throw new UsageError(
      'There are several projects: choose one with --project. List them: npm run cli -- projects list',
    );
  }
  return only;
}

/**
 * Returns the id in `--organization`. Without the option, returns the id of the only organization.
 * @throws UsageError when the option is missing and the service does not have exactly one organization
 */
export async function resolveOrganizationOption(
  { db }: Context,
  call: CommandInvocation,
): Promise<string> {
  const named = call.option('organization');
  if (named !== undefined) return named;
  const [only, other] = await db.organization.findMany({ take: 2, orderBy: { id: 'asc' } });
  if (only === undefined) {
    throw new UsageError(
      'There is no organization yet. Create one: npm run cli -- organizations create --name NAME',
    );
  }
  if (other !== undefined) {
    throw new UsageError(
      'There are several organizations: choose one with --organization. List them: npm run cli -- organizations list',
    );
  }
  return only.id;
}
