import type { AuditAction } from '../audit/audit-actions.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import type { SourceConfigInput } from './source-config.ts';

type SourceAction = Extract<AuditAction, `SOURCE_${string}`> | 'DOCUMENTS_DELETED';

/** Records an action on a source in the audit log. Replaces secrets of the configuration with `changed`. */
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
  await recordProjectAuditEntry(context, projectId, {
    action,
    target: { type: 'SOURCE', id, name },
    change: { ...change, ...(config != null && { config: withoutSecrets(config) }) },
  });
}

function withoutSecrets({ token, secretAccessKey, ...config }: SourceConfigInput): object {
  return {
    ...config,
    ...(token != null && { token: 'changed' }),
    ...(secretAccessKey != null && { secretAccessKey: 'changed' }),
  };
}
