import { DomainError } from '../platform/errors.ts';
import type { Context } from './context.ts';

/**
 * Returns the upload limit of the caller's organization, in bytes.
 *
 * @throws DomainError FORBIDDEN when the caller is not an API key.
 */
export async function getUploadLimitBytes(context: Context): Promise<number> {
  const { caller } = context;
  if (caller.type !== 'key') throw new DomainError('FORBIDDEN', 'Upload files with an API key');
  return getOrganizationUploadLimitBytes(context, caller.organizationId);
}

/** Returns the organization's own upload limit in bytes. If it has none, returns the upload limit of its plan. */
export async function getOrganizationUploadLimitBytes(
  { db }: Context,
  organizationId: string,
): Promise<number> {
  const organization = await db.organization.findUniqueOrThrow({
    where: { id: organizationId },
    include: { plan: true },
  });
  return Number(organization.maxUploadBytes ?? organization.plan.maxUploadBytes);
}

/** Returns SQL for the limit that `getOrganizationUploadLimitBytes` returns. */
export const uploadLimitSql = (organizationId: string) => `(
    select coalesce(organization.max_upload_bytes, plan.max_upload_bytes)
    from grounded.organizations organization join grounded.plans plan on plan.name = organization.plan
    where organization.id = ${organizationId})`;
