/**
 * Value of the Postgres setting `grounded.tenant`, which the row level security policies read. Possible values: an
 * organization id, `project:<id>:<organization id>`, `user:<id>:<email address>`, `organizations:<id>,<id>`, `system`
 * for access to all rows, or '' for access to no rows.
 */
export type Tenant = string & { readonly isTenant: true };

/** Tenant for background work, which may access the data of all organizations. */
export const systemTenant = 'system' as Tenant;
export const noTenant = '' as Tenant;
