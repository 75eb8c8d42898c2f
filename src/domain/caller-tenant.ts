import { noTenant, systemTenant, type Tenant } from '../platform/tenancy/tenant.ts';
import type { Caller } from './caller.ts';

/** Returns the tenant whose rows the caller may see. */
export function tenantOf(caller: Caller): Tenant {
  switch (caller.type) {
    case 'anonymous':
      return noTenant;
    case 'key':
    case 'visitor':
      if (caller.projectId === null) return caller.organizationId as Tenant;
      return `project:${caller.projectId}:${caller.organizationId}` as Tenant;
    case 'operator':
      if (caller.organizationIds !== undefined) {
        return `organizations:${caller.organizationIds.join(',')}` as Tenant;
      }
      return `user:${caller.userId}:${caller.email?.toLowerCase() ?? ''}` as Tenant;
    case 'service':
      return systemTenant;
  }
}
