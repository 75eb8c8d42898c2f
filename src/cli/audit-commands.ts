import { auditActions } from '../domain/audit/audit-actions.ts';
import { type AuditFilter, exportAuditLog } from '../domain/organizations/audit-log.ts';
import { withContext } from './cli-context.ts';
import { type Command, type CommandInvocation, stringOption, UsageError } from './command.ts';
import { resolveOrganizationOption } from './tenant-commands.ts';
import { readTimeOption } from './time-option.ts';

export const auditCommands: Readonly<Record<string, Command>> = {
  'audit export': {
    usage: '[--organization ID] [--action ACTION] [--actor NAME] [--from TIME] [--to TIME]',
    summary:
      'Prints the audit log of an organization as NDJSON, oldest first. Default: the only organization.',
    options: {
      organization: stringOption,
      action: stringOption,
      actor: stringOption,
      from: stringOption,
      to: stringOption,
    },
    async run(config, call) {
      const filter = readFilter(call);
      await withContext(config, call, async (context) => {
        const organizationId = await resolveOrganizationOption(context, call);
        for await (const page of exportAuditLog(context, { organizationId, ...filter })) {
          await call.print(page.map((entry) => JSON.stringify(entry)).join('\n'));
        }
      });
      return null;
    },
  },
};

function readFilter(call: CommandInvocation): AuditFilter {
  const action = call.option('action');
  if (action !== undefined && !isAction(action)) {
    throw new UsageError(
      `Unknown action ${action}. Actions: ${Object.keys(auditActions).join(', ')}`,
    );
  }
  return {
    action: action ?? null,
    actor: call.option('actor') ?? null,
    from: readTimeOption(call, 'from'),
    to: readTimeOption(call, 'to'),
  };
}

function isAction(name: string): name is keyof typeof auditActions {
  return Object.hasOwn(auditActions, name);
}
