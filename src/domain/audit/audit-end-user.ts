import { createHash } from 'node:crypto';
import { type Context, transaction } from '../context.ts';
import { recordAuditEntry } from './record-audit-entry.ts';

/**
 * Records an export or an erasure of an end user's data before it starts. It starts only if the entry is stored. The
 * entry contains a hash of the end user's id, because it outlives an erasure.
 */
export async function auditEndUser(
  context: Context,
  action: 'END_USER_EXPORTED' | 'END_USER_ERASED',
  { id: projectId, organizationId }: { readonly id: string; readonly organizationId: string },
  endUserId: string,
): Promise<void> {
  await transaction(
    context,
    (context) =>
      recordAuditEntry(context, {
        organizationId,
        action,
        target: { type: 'END_USER', id: hashedEndUserId(endUserId) },
        change: { projectId },
      }),
    { isRemoval: true },
  );
}

/** Returns the end user's id as the audit log contains it. */
export function hashedEndUserId(endUserId: string): string {
  return `sha256:${createHash('sha256').update(endUserId).digest('hex')}`;
}
