import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';

/** Rules of sign-ins with the OIDC provider: accepted users and their roles. */
export interface OidcPolicy {
  /** Lower-case domains of e-mail addresses. Empty: all. */
  readonly allowedDomains: readonly string[];
  /** Whether addresses count as verified without the claim `email_verified`. */
  readonly trustsEmail: boolean;
  readonly mapping: RoleMapping | null;
}

/** The roles that groups of the provider have in an organization. */
export interface RoleMapping {
  readonly organizationId: string;
  /** Name of the claim with the groups, or its path, such as `realm_access.roles`. */
  readonly claim: string;
  readonly roles: readonly { readonly group: string; readonly role: Role }[];
}

/**
 * Why a sign-in was refused. `email`: missing or not verified. `domain`: not allowed. `account`: the address belongs to
 * another subject. `access`: no membership, invitation or group. `groups`: too many for the token.
 */
export type OidcRefusal = 'email' | 'domain' | 'account' | 'access' | 'groups';
