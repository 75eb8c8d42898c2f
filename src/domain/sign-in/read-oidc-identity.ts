import { isJsonObject } from '../../platform/is-json-object.ts';
import type { ClaimSource, OidcClaims } from '../../platform/oidc/oidc-provider.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import type { OidcPolicy, OidcRefusal, RoleMapping } from './oidc-policy.ts';

/** A subject of a provider, which may sign in with its address. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Lower-case and verified. */
  readonly email: string;
  /** Role that the mapping gives to the groups. Null if no group has a role, or there is no mapping. */
  readonly mappedRole: Role | null;
}

/** Names of the claims that a sign-in needs. */
export function requiredClaims({ mapping }: OidcPolicy): string[] {
  return ['email', 'email_verified', ...(mapping === null ? [] : [topLevelName(mapping.claim)])];
}

/** Reads verified claims, or returns why the policy refuses them. */
export function readOidcIdentity(
  claims: OidcClaims,
  policy: OidcPolicy,
): OidcIdentity | OidcRefusal {
  const { issuer, subject } = claims;
  const email = readEmail(claims, policy);
  if (email === null) return 'email';
  if (!isAllowed(email, claims, policy)) return 'domain';
  if (policy.mapping === null) return { issuer, subject, email, mappedRole: null };
  const groups = readGroups(claims, policy.mapping);
  if (groups === null) return 'groups';
  return { issuer, subject, email, mappedRole: highestRole(groups, policy.mapping) };
}

/**
 * Printable ASCII without spaces. Other letters could become equal to ASCII in lower case, such as the Kelvin sign, and
 * so an address of another person.
 */
const emailPattern = /^[!-?A-~]{1,64}@[!-?A-~]{1,255}$/;

/** Address and verification come from the same source, because the sources may name different addresses. */
function readEmail(claims: OidcClaims, { trustsEmail }: OidcPolicy): string | null {
  if (sourcesOf(claims).some((source) => source.email_verified === false)) return null;
  for (const { email, email_verified: isVerified } of sourcesOf(claims)) {
    const isTrusted = isVerified === true || (trustsEmail && isVerified === undefined);
    if (isTrusted && typeof email === 'string' && emailPattern.test(email)) {
      return email.toLowerCase();
    }
  }
  return null;
}

const googleIssuer = 'https://accounts.google.com';

/**
 * Personal Google accounts can have addresses of companies, and outlive them there. So Google's claim `hd`, the domain
 * that manages the account, must be the domain of the address.
 */
function isAllowed(
  email: string,
  { issuer, idToken }: OidcClaims,
  { allowedDomains }: OidcPolicy,
): boolean {
  if (allowedDomains.length === 0) return true;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!allowedDomains.includes(domain)) return false;
  return issuer !== googleIssuer || domain === 'gmail.com' || idToken.hd === domain;
}

/** Returns null if the provider has left the groups out of the token because there are too many, as Entra ID does. */
function readGroups(claims: OidcClaims, { claim }: RoleMapping): readonly string[] | null {
  for (const source of sourcesOf(claims)) {
    const value = readClaim(source, claim);
    if (value !== undefined) return groupNames(value);
  }
  const isLeftOut = ({ _claim_names: names }: ClaimSource) =>
    isJsonObject(names) && Object.hasOwn(names, topLevelName(claim));
  return sourcesOf(claims).some(isLeftOut) ? null : [];
}

function sourcesOf({ idToken, userInfo }: OidcClaims): ClaimSource[] {
  return userInfo === null ? [idToken] : [idToken, userInfo];
}

/** A name may contain dots, as URLs do. Only a name that is not in the source is a path. */
function readClaim(source: ClaimSource, claim: string): unknown {
  if (Object.hasOwn(source, claim)) return source[claim];
  return claim
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
      source,
    );
}

/** The name whose presence shows that a source has the claim. */
function topLevelName(claim: string): string {
  return claim.includes('://') ? claim : (claim.split('.')[0] ?? claim);
}

/** Providers send a list, one text, or an object whose names are the groups. */
function groupNames(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((group) => typeof group === 'string');
  return isJsonObject(value) ? Object.keys(value) : [];
}

const rolesFromHighest: readonly Role[] = ['OWNER', 'ADMIN', 'AGENT', 'VIEWER'];

function highestRole(groups: readonly string[], { roles }: RoleMapping): Role | null {
  const granted = roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return rolesFromHighest.find((role) => granted.includes(role)) ?? null;
}
