import { z } from 'zod';
import type { OidcPolicy, RoleMapping } from '../domain/sign-in/oidc-policy.ts';
import { isId } from '../platform/ids.ts';
import { Role } from '../platform/postgres/generated/prisma/enums.ts';
import { flag } from './setting-fields.ts';

/** Sign-in of operators with an OpenID Connect provider. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** Name of the provider on the sign-in page. */
  readonly name: string;
  readonly policy: OidcPolicy;
}

const text = z.string();

export const oidcFields = {
  OIDC_ISSUER: text
    .refine(
      isIssuer,
      'must be the address of the provider without /.well-known, such as https://id.example.com/realms/staff. It must begin with https, except at localhost',
    )
    .refine(
      (value) =>
        !/^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/i.test(value),
      'must name your tenant instead of common, organizations or consumers, which let anybody sign in with any address',
    )
    .optional(),
  OIDC_CLIENT_ID: text.max(500, 'must have at most 500 characters').optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_NAME: text.max(60, 'must have at most 60 characters').default('single sign-on'),
  OIDC_SCOPES: text
    .refine(
      (value) => value.split(' ').includes('openid'),
      'must contain openid, such as openid email profile groups',
    )
    .default('openid email profile'),
  OIDC_ALLOWED_DOMAINS: text
    .transform((value) => value.split(',').map((domain) => domain.trim().toLowerCase()))
    .refine(
      (domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
      'must be domains of e-mail addresses, separated by commas, such as example.com,example.org',
    )
    .default([]),
  OIDC_TRUST_EMAIL: flag().default(false),
  OIDC_ORGANIZATION: text.refine(isId, 'must be the id of an organization').optional(),
  OIDC_ROLE_CLAIM: text.max(200, 'must have at most 200 characters').optional(),
  OIDC_ROLES: text
    .transform((value) => value.split(',').map(parseRole))
    .refine(
      (roles): roles is RoleMapping['roles'][number][] => !roles.includes(null),
      `must be pairs of a group and one of ${Object.values(Role).join(', ')}, such as admins:ADMIN,support:AGENT`,
    )
    .optional(),
};

function isIssuer(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  if (url.pathname.includes('/.well-known/')) return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
}

/** Splits at the last colon, because the name of a group may contain colons. */
function parseRole(pair: string): RoleMapping['roles'][number] | null {
  const colon = pair.lastIndexOf(':');
  const group = pair.slice(0, Math.max(0, colon)).trim();
  const name = pair.slice(colon + 1).trim();
  const role = Object.values(Role).find((role) => role === name);
  return group === '' || role === undefined ? null : { group, role };
}

type Variables = z.infer<z.ZodObject<typeof oidcFields>>;

/** Returns the provider, or null if none is configured. */
export function oidcSettings(value: Variables): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = value;
  if (!issuer || !clientId || !secret) return null;
  return Object.freeze({
    issuer,
    clientId,
    clientSecret: secret,
    scopes: value.OIDC_SCOPES,
    name: value.OIDC_NAME,
    policy: {
      allowedDomains: value.OIDC_ALLOWED_DOMAINS,
      trustsEmail: value.OIDC_TRUST_EMAIL,
      mapping: roleMapping(value),
    },
  });
}

function roleMapping(value: Variables): RoleMapping | null {
  const { OIDC_ORGANIZATION: organizationId, OIDC_ROLE_CLAIM: claim, OIDC_ROLES: roles } = value;
  if (!organizationId || !claim || !roles) return null;
  return { organizationId, claim, roles };
}

const connection = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const mapping = ['OIDC_ORGANIZATION', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES'] as const;
const others = ['OIDC_NAME', 'OIDC_SCOPES', 'OIDC_ALLOWED_DOMAINS', 'OIDC_TRUST_EMAIL'] as const;

/** Finds settings for the provider that are valid individually but not in combination. */
export function findOidcProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const has = (name: string) => given[name] !== undefined;
  if (![...connection, ...mapping, ...others].some(has)) return [];
  const problems = connection
    .filter((name) => !has(name))
    .map((name) => `${name} is not set: ${connection.join(', ')} belong together`);
  if (mapping.some(has) && !mapping.every(has)) {
    problems.push(`${mapping.join(', ')} belong together: which groups have which role, and where`);
  }
  if (!has('PUBLIC_URL')) {
    problems.push(
      'PUBLIC_URL is not set: with OIDC_ISSUER it must be the address of the service, to which the provider returns',
    );
  }
  if (has('SUPABASE_URL')) {
    problems.push(
      'OIDC_ISSUER is set with SUPABASE_URL: Supabase Auth signs operators in, so remove the OIDC settings and set up the provider there',
    );
  }
  return problems;
}
