import { DomainError } from '../platform/errors.ts';
import {
  type ApiKeyScope,
  ApiKeyScope as ApiKeyScopes,
  type Role,
} from '../platform/postgres/generated/prisma/enums.ts';
import type { ApiKeyCaller, Caller } from './caller.ts';

/** A permission that a verb requires. Every verb and every GraphQL field declares one. */
export type Permission = keyof typeof permissions;

const allRoles: readonly Role[] = ['OWNER', 'ADMIN', 'AGENT', 'VIEWER'];
const agentRoles: readonly Role[] = ['OWNER', 'ADMIN', 'AGENT'];
const adminRoles: readonly Role[] = ['OWNER', 'ADMIN'];

/** For each permission: the API key scope that grants it (null: no API key) and the operator roles that have it. */
const permissions = {
  chat: { scope: 'CHAT', roles: agentRoles },
  'knowledge:read': { scope: 'KNOWLEDGE_READ', roles: allRoles },
  'knowledge:write': { scope: 'KNOWLEDGE_WRITE', roles: adminRoles },
  'conversations:read': { scope: 'CONVERSATIONS_READ', roles: allRoles },
  /** For ratings of agents by end users. Members may not rate. */
  'handoffs:rate': { scope: 'CHAT', roles: [] },
  'handoffs:work': { scope: 'HANDOFF_WRITE', roles: agentRoles },
  /** API keys also need `conversations:read`, because a trace has the question. */
  'answer-traces:read': { scope: 'ANALYTICS_READ', roles: agentRoles },
  'usage:read': { scope: 'ANALYTICS_READ', roles: allRoles },
  'evaluation:read': { scope: 'EVALUATION_READ', roles: allRoles },
  'evaluation:write': { scope: 'EVALUATION_WRITE', roles: adminRoles },
  'webhooks:manage': { scope: 'WEBHOOKS_WRITE', roles: adminRoles },
  'keys:manage': { scope: 'KEYS_WRITE', roles: adminRoles },
  'end-users:manage': { scope: null, roles: adminRoles },
  'organization:read': { scope: null, roles: allRoles },
  'organization:manage': { scope: null, roles: adminRoles },
  'audit:read': { scope: null, roles: ['OWNER'] },
  'organization:create': { scope: null, roles: [] },
  /** Visitors have only this permission. */
  'widget:use': { scope: null, roles: [] },
} as const satisfies Record<string, { scope: ApiKeyScope | null; roles: readonly Role[] }>;

/** Returns the REST spelling of a scope, such as `knowledge:read`. */
export function scopeName<Scope extends ApiKeyScope>(scope: Scope): ScopeName<Scope> {
  return scope.toLowerCase().replace('_', ':') as ScopeName<Scope>;
}

type ScopeName<Scope extends ApiKeyScope> = Scope extends `${infer What}_${infer Verb}`
  ? `${Lowercase<What>}:${Lowercase<Verb>}`
  : Lowercase<Scope>;

/** Returns the scope with this REST spelling, or null. */
export function findScope(name: string): ApiKeyScope | null {
  return Object.values(ApiKeyScopes).find((scope) => scopeName(scope) === name) ?? null;
}

/**
 * Rejects callers that cannot have the permission in any organization. As soon as the organization is known, call
 * `requireRole` to check an operator's role.
 *
 * @throws DomainError UNAUTHENTICATED when the caller has no credentials.
 * @throws DomainError SCOPE_MISSING when the API key lacks the scope.
 * @throws DomainError FORBIDDEN when callers of this type, or keys with a filter, cannot have the permission.
 */
export function requirePermission(caller: Caller, permission: Permission): void {
  switch (caller.type) {
    case 'anonymous':
      throw new DomainError('UNAUTHENTICATED', 'Authentication is required');
    case 'key': {
      const { scope } = permissions[permission];
      if (scope === null) throw new DomainError('FORBIDDEN', 'API keys may not do this');
      requireScope(caller, scope);
      if (isForbiddenWithFilter(scope)) requireNoFilter(caller);
      return;
    }
    case 'visitor':
      if (permission === 'widget:use') return;
      throw new DomainError('FORBIDDEN', 'Visitors may not do this');
    case 'operator':
      if (permissions[permission].roles.length === 0) {
        throw new DomainError('FORBIDDEN', 'Only the service role may do this');
      }
      return;
    case 'service':
      return;
  }
}

/**
 * Refuses API keys with a document filter.
 *
 * @throws DomainError FORBIDDEN
 */
export function requireNoFilter(caller: Caller): void {
  if (caller.type !== 'key' || caller.filter === null) return;
  throw new DomainError('FORBIDDEN', 'API keys with a filter may not do this');
}

/** Returns the authorization scopes of the GraphQL schema. `requirePermission` checks the `permission` of a field. */
export function authScopes({ caller }: { readonly caller: Caller }) {
  return {
    permission(permission: Permission): true {
      requirePermission(caller, permission);
      return true;
    },
  };
}

/**
 * Returns whether the scope would allow a key with a filter to access more than its filter allows: by writing
 * documents, or by webhooks and evaluation runs, because events and answers contain all documents.
 */
export function isForbiddenWithFilter(scope: ApiKeyScope): boolean {
  return scopesOfAllDocuments.has(scope);
}

const scopesOfAllDocuments: ReadonlySet<ApiKeyScope> = new Set([
  'KNOWLEDGE_WRITE',
  'WEBHOOKS_WRITE',
  'EVALUATION_READ',
  'EVALUATION_WRITE',
]);

/**
 * Refuses a key that lacks `scope`.
 *
 * @throws DomainError SCOPE_MISSING with the name of the scope in the message.
 */
export function requireScope(caller: ApiKeyCaller, scope: ApiKeyScope): void {
  if (caller.scopes.includes(scope)) return;
  throw new DomainError('SCOPE_MISSING', `The API key lacks the scope ${scopeName(scope)}`);
}

/**
 * Refuses an operator whose role in the organization does not have the permission.
 *
 * @throws DomainError FORBIDDEN
 */
export function requireRole(role: Role, permission: Permission): void {
  if (roleHasPermission(role, permission)) return;
  throw new DomainError('FORBIDDEN', `The role ${role} may not do this`);
}

/** Returns true if operators with this role have the permission. */
export function roleHasPermission(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = permissions[permission].roles;
  return roles.includes(role);
}
