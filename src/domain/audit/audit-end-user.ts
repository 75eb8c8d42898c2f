import { createHash } from 'node:crypto';
import { type Context, transaction } from '../context.ts';
import { recordAuditEntry } from './record-audit-entry.ts';

/**
 * Records the export or the erasure of an end user's data before it starts. The export or erasure starts only if the
 * audit entry is stored. The entry outlives an erasure, so it contains only a hash of the end user's id.
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

/** Returns the hash that the audit log contains instead of an end user's id. */
export function hashedEndUserId(endUserId: string): string {
  return `sha256:${createHash('sha256').update(endUserId).digest('hex')}`;
}
