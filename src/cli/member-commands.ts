import type { Config } from '../config/config.ts';
import {
  createInvitation,
  type NewInvitation,
  renewInvitation,
} from '../domain/organizations/invitations.ts';
import { requireOrganization } from '../domain/organizations/require-organization.ts';
import { Role } from '../platform/postgres/generated/prisma/enums.ts';
import { withContext } from './cli-context.ts';
import {
  type Command,
  type CommandInvocation,
  requireOption,
  stringOption,
  UsageError,
} from './command.ts';
import { readEmail } from './email-option.ts';
import { linkUrl } from './service-url.ts';
import { resolveOrganizationOption } from './tenant-commands.ts';

export const memberCommands: Readonly<Record<string, Command>> = {
  'members invite': {
    usage: '--email ADDRESS --role owner|admin|agent|viewer [--organization ID]',
    summary:
      'Invites an operator, and prints a link to accept the invitation, valid for 7 days. Default: the only organization.',
    options: { email: stringOption, role: stringOption, organization: stringOption },
    async run(config, call) {
      const email = readEmail(call, 'email') ?? requireOption(call, 'email');
      const role = readRole(requireOption(call, 'role'));
      const invitation = await withContext(config, call, async (context) => {
        const organizationId = await resolveOrganizationOption(context, call);
        return createInvitation(context, { organizationId, email, role });
      });
      return printInvitation(config, call, invitation);
    },
  },

  'members renew': {
    usage: '--email ADDRESS [--organization ID]',
    summary:
      'Replaces the link of a pending invitation by a new one, valid for 7 days. Default: the only organization.',
    options: { email: stringOption, organization: stringOption },
    async run(config, call) {
      const email = readEmail(call, 'email') ?? requireOption(call, 'email');
      const invitation = await withContext(config, call, async (context) => {
        const organizationId = await resolveOrganizationOption(context, call);
        return renewInvitation(context, { organizationId, email });
      });
      return printInvitation(config, call, invitation);
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

function printInvitation(
  config: Config,
  { logProgress }: CommandInvocation,
  { member, link: created, mail }: NewInvitation,
) {
  const { id, organizationId, email, role } = member;
  const link = new URL(created, linkUrl(config)).href;
  if (mail === 'SENT') logProgress(`The invitation was sent to ${email}.`);
  if (mail === 'FAILED') logProgress('The e-mail was not sent: send the link yourself.');
  return { text: link, json: { id, organizationId, email, role, link } };
}

/** @throws UsageError when there is no such role */
function readRole(name: string): Role {
  const role = Object.values(Role).find((known) => known === name.toUpperCase());
  if (role !== undefined) return role;
  throw new UsageError('--role must be owner, admin, agent or viewer');
}
