import type { AuditAction } from '../audit/audit-actions.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import type { SourceConfigInput } from './source-config.ts';

type SourceAction = Extract<AuditAction, `SOURCE_${string}`> | 'DOCUMENTS_DELETED';

/** Records an action on a source. Secrets of its configuration appear as `changed`. */
export async function auditSource(
  context: Context,
  action: SourceAction,
  {
    id,
    projectId,
    name,
  }: { readonly id: string; readonly projectId: string; readonly name: string },
  {
    config,
    ...change
  }: { readonly config?: SourceConfigInput | null } & Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { organizationId } = await context.db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { organizationId: true },
  });
  await recordAuditEntry(context, {
    organizationId,
    action,
    target: { type: 'SOURCE', id, name },
    change: { projectId, ...change, ...(config != null && { config: withoutSecrets(config) }) },
  });
}

function withoutSecrets({ token, secretAccessKey, ...config }: SourceConfigInput): object {
  return {
    ...config,
    ...(token != null && { token: 'changed' }),
    ...(secretAccessKey != null && { secretAccessKey: 'changed' }),
  };
}
