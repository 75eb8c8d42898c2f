import type { Context } from './context.ts';
import { DomainError } from './errors.ts';

/** The largest file, in bytes, that the caller's organization may upload. */
export async function uploadLimitBytes(context: Context): Promise<number> {
  const { caller } = context;
  if (caller.type !== 'key')
    throw new DomainError('FORBIDDEN', 'Files are uploaded with an API key');
  return organizationUploadLimit(context, caller.organizationId);
}

/** The organization's own limit, else its plan's. */
export async function organizationUploadLimit(
  { db }: Context,
  organizationId: string,
): Promise<number> {
  const organization = await db.organization.findUniqueOrThrow({
    where: { id: organizationId },
    include: { plan: true },
  });
  return Number(organization.maxUploadBytes ?? organization.plan.maxUploadBytes);
}
