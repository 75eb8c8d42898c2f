import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';

/** Records a change of a widget in the audit log. The target is its project. */
export function auditWidget(
  context: Context,
  action: 'WIDGET_UPDATED' | 'WIDGET_KEY_ROTATED' | 'WIDGET_IDENTITY_SECRET_ROTATED',
  { id, organizationId, name }: Project,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'WIDGET', id, name } as const;
  return recordAuditEntry(context, { organizationId, action, target, change });
}
