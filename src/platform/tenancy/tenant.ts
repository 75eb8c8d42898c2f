/**
 * Value of the Postgres setting `grounded.tenant`, which row level security policies read. It is an organization id,
 * `user:<id>:<email address>`, `organizations:<id>,<id>`, `system` for access to all rows, or '' for access to none.
 */
export type Tenant = string & { readonly isTenant: true };

/** Tenant for background work on the data of all organizations. */
export const systemTenant = 'system' as Tenant;
export const noTenant = '' as Tenant;
