import { inviteMember } from '../domain/organizations/manage-members.ts';
import { requireOrganization } from '../domain/organizations/require-organization.ts';
import { Role } from '../platform/postgres/generated/prisma/enums.ts';
import { withContext } from './cli-context.ts';
import { type Command, requireOption, stringOption, UsageError } from './command.ts';
import { readEmail } from './email-option.ts';
import { resolveOrganizationOption } from './tenant-commands.ts';

export const memberCommands: Readonly<Record<string, Command>> = {
  'members invite': {
    usage: '--email ADDRESS --role owner|admin|agent|viewer [--organization ID]',
    summary:
      'Invites an operator, who becomes a member at the first sign-in with this address. Default: the only organization.',
    options: { email: stringOption, role: stringOption, organization: stringOption },
    async run(config, call) {
      const email = readEmail(call, 'email') ?? requireOption(call, 'email');
      const role = readRole(requireOption(call, 'role'));
      const json = await withContext(config, call, async (context) => {
        const organizationId = await resolveOrganizationOption(context, call);
        const member = await inviteMember(context, { organizationId, email, role });
        return { id: member.id, organizationId, email: member.email, role };
      });
      return { text: `Invited ${json.email} as ${role}. Ask this person to sign in.`, json };
    },
  },

  'members list': {
    usage: '[--organization ID]',
    summary:
      'Lists the members and invitations of an organization. Default: the only organization.',
    options: { organization: stringOption },
    async run(config, call) {
      const members = await withContext(config, call, async (context) => {
        const organizationId = await resolveOrganizationOption(context, call);
        await requireOrganization(context, organizationId, 'organization:read');
        return context.db.member.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      });
      const json = members.map(({ id, email, role, userId }) => ({
        id,
        email,
        role,
        hasJoined: userId !== null,
      }));
      const lines = json.map(({ email, role, hasJoined }) =>
        [role.padEnd(6), hasJoined ? 'joined ' : 'invited', email].join('  '),
      );
      return { text: lines.join('\n') || 'There are no members.', json };
    },
  },
};

/** @throws UsageError */
function readRole(name: string): Role {
  const role = Object.values(Role).find((known) => known === name.toUpperCase());
  if (role !== undefined) return role;
  throw new UsageError('--role must be owner, admin, agent or viewer');
}
