import type { AuditAction } from '../audit/audit-actions.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Records a change of an endpoint in the audit log. The name of the endpoint is the host of its URL, because the rest
 * of the URL may contain secrets.
 */
export async function auditEndpoint(
  context: Context,
  action: Extract<AuditAction, `WEBHOOK_${string}`>,
  { id, projectId, url }: { readonly id: string; readonly projectId: string; readonly url: string },
  { url: newUrl, ...change }: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordProjectAuditEntry(context, projectId, {
    action,
    target: { type: 'WEBHOOK_ENDPOINT', id, name: new URL(url).host },
    change: { ...(newUrl != null && { url: 'changed' }), ...change },
  });
}
