import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';

/** Rules for signing in with the OIDC provider: which users are accepted, and which roles they have. */
export interface OidcPolicy {
  /** Allowed domains of e-mail addresses, in lower case. Empty: all domains. */
  readonly allowedDomains: readonly string[];
  /** If true, addresses count as verified even without the claim `email_verified`. */
  readonly trustsEmail: boolean;
  readonly mapping: RoleMapping | null;
}

/** The roles that groups of the provider give in an organization. */
export interface RoleMapping {
  readonly organizationId: string;
  /** Name of the claim that contains the groups, or its path, such as `realm_access.roles`. */
  readonly claim: string;
  readonly roles: readonly { readonly group: string; readonly role: Role }[];
}

/**
 * Why a sign-in was refused. `email`: the address is missing or not verified. `domain`: the domain of the address is
 * not allowed. `account`: the address belongs to another subject. `access`: the user has no membership, invitation or
 * group. `groups`: the user has too many groups for the token.
 */
export type OidcRefusal = 'email' | 'domain' | 'account' | 'access' | 'groups';
