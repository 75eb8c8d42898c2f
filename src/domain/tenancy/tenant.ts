import type { Caller } from '../caller.ts';

/**
 * Whose rows the database shows and lets change, as the setting `grounded.tenant` says it: an organization's id,
 * `user:<id>:<address>`, `system` for all, or '' for none.
 */
export type Tenant = string & { readonly isTenant: true };

/** The service's own work, which is for every tenant. */
export const systemTenant = 'system' as Tenant;
export const noTenant = '' as Tenant;

export function tenantOf(caller: Caller): Tenant {
  switch (caller.type) {
    case 'anonymous':
      return noTenant;
    case 'key':
    case 'visitor':
      return caller.organizationId as Tenant;
    case 'operator':
      return `user:${caller.userId}:${caller.email?.toLowerCase() ?? ''}` as Tenant;
    case 'service':
      return systemTenant;
  }
}
