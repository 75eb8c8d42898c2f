import { isJsonObject } from '../../platform/is-json-object.ts';
import type { ClaimSource, OidcClaims } from '../../platform/oidc/oidc-provider.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import type { OidcPolicy, OidcRefusal, RoleMapping } from './oidc-policy.ts';

/** A user (subject) of a provider who may sign in with this address. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** E-mail address in lower case. It is verified. */
  readonly email: string;
  /** Role that the mapping gives to the user's groups. Null if no group has a role, or if there is no mapping. */
  readonly mappedRole: Role | null;
}

/** Returns the names of the claims that a sign-in needs. */
export function requiredClaims({ mapping }: OidcPolicy): string[] {
  return ['email', 'email_verified', ...(mapping === null ? [] : [topLevelName(mapping.claim)])];
}

/** Reads the identity from verified claims. If the policy refuses the identity, returns the reason. */
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
 * Printable ASCII without spaces. Some other letters, such as the Kelvin sign, become ASCII in lower case. An address
 * with such a letter could become the address of another person.
 */
const emailPattern = /^[!-?A-~]{1,64}@[!-?A-~]{1,255}$/;

/**
 * Reads the address and its verification from the same source, because another source may contain a different address.
 */
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
 * Returns whether the domain of the address is allowed. A personal Google account can have an address at a company and
 * keep it after the person has left. So for Google, the claim `hd`, the domain that manages the account, must be the
 * domain of the address.
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

/**
 * Returns the groups. Returns null if the provider has omitted them from the token because there are too many, as Entra
 * ID does.
 */
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

/**
 * Reads a claim by name or path. A name may contain dots, as URLs do, so a name is read as a path only if the source
 * has no claim with that name.
 */
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

/** Returns the top-level name of a claim. If a source contains this name, the source has the claim. */
function topLevelName(claim: string): string {
  return claim.includes('://') ? claim : (claim.split('.')[0] ?? claim);
}

/** Returns the names of the groups. Providers send a list, a single text, or an object with the names as keys. */
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
