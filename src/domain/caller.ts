import { DomainError } from './errors.ts';
import type { ApiKeyScope, Role } from './generated/prisma/enums.ts';

/** Who asks. An operator's organizations and roles are read from the members table, never from the token. */
export type Caller =
  | { readonly type: 'anonymous' }
  | ApiKeyCaller
  | VisitorCaller
  /** Of an operator's address only one that is known to be the operator's own. */
  | {
      readonly type: 'operator';
      readonly userId: string;
      readonly email: string | null;
      /** When the token ends: who watches must come back with a new one then. */
      readonly expiresAt?: Date;
    }
  /** Has no end where the service itself acts. */
  | { readonly type: 'service'; readonly expiresAt?: Date };

export interface ApiKeyCaller {
  readonly type: 'key';
  readonly keyId: string;
  readonly organizationId: string;
  /** Null for an org-wide key. */
  readonly projectId: string | null;
  readonly scopes: readonly ApiKeyScope[];
}

/** Somebody on a web site with a widget, who may do nothing but talk in conversations of its own. */
export interface VisitorCaller {
  readonly type: 'visitor';
  readonly organizationId: string;
  readonly projectId: string;
  /** By which its conversations are known: they are those of this end user, and no others. */
  readonly endUserId: string;
  /** Of the widget, and where it stands. */
  readonly publishableKey: string;
  readonly origin: string;
  readonly expiresAt: Date;
}

/** What a verb lets its caller do. Every verb and every GraphQL field names one. */
export type Permission = keyof typeof permissions;

const everyone: readonly Role[] = ['OWNER', 'ADMIN', 'AGENT', 'VIEWER'];
const workers: readonly Role[] = ['OWNER', 'ADMIN', 'AGENT'];
const managers: readonly Role[] = ['OWNER', 'ADMIN'];

/** The one table of who may do what: an API key by its scope, an operator by the role in the organization. */
const permissions = {
  chat: { scope: 'CHAT', roles: workers },
  'knowledge:read': { scope: 'KNOWLEDGE_READ', roles: everyone },
  'knowledge:write': { scope: 'KNOWLEDGE_WRITE', roles: managers },
  'conversations:read': { scope: 'CONVERSATIONS_READ', roles: everyone },
  'handoffs:work': { scope: null, roles: workers },
  'usage:read': { scope: 'ANALYTICS_READ', roles: everyone },
  'webhooks:manage': { scope: null, roles: managers },
  'end-users:manage': { scope: null, roles: managers },
  'organization:read': { scope: null, roles: everyone },
  'organization:manage': { scope: null, roles: managers },
  'organization:create': { scope: null, roles: [] },
  /** For visitors, and they may do nothing else. */
  'widget:use': { scope: null, roles: [] },
} as const satisfies Record<string, { scope: ApiKeyScope | null; roles: readonly Role[] }>;

/** The spelling of a scope in the REST interface, such as `knowledge:read`. */
export function scopeName(scope: ApiKeyScope): string {
  return scope.toLowerCase().replace('_', ':');
}

/**
 * Refuses a caller who could not have the permission in any organization: no credentials
 * (`UNAUTHENTICATED`), or a key without the scope (`SCOPE_MISSING`). An operator's role is judged
 * where the organization is known, with `requireRole`.
 */
export function requirePermission(caller: Caller, permission: Permission): void {
  switch (caller.type) {
    case 'anonymous':
      throw new DomainError('UNAUTHENTICATED', 'Authentication is required');
    case 'key': {
      const { scope } = permissions[permission];
      if (scope === null) throw new DomainError('FORBIDDEN', 'API keys may not do this');
      requireScope(caller, scope);
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

/** Refuses a key that lacks `scope`, naming it. */
export function requireScope(caller: ApiKeyCaller, scope: ApiKeyScope): void {
  if (caller.scopes.includes(scope)) return;
  throw new DomainError('SCOPE_MISSING', `The API key lacks the scope ${scopeName(scope)}`);
}

/** Refuses an operator whose role in the organization does not have the permission. */
export function requireRole(role: Role, permission: Permission): void {
  if (roleHas(role, permission)) return;
  throw new DomainError('FORBIDDEN', `The role ${role} may not do this`);
}

/** Whether operators with this role have the permission. */
export function roleHas(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = permissions[permission].roles;
  return roles.includes(role);
}
