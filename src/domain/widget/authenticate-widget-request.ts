import type { Pool } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { isWellFormedPublishableKey } from '../api-keys/api-key-format.ts';
import type { VisitorCaller } from '../caller.ts';
import { isAllowedOrigin } from './allowed-origins.ts';

/** A widget that the requesting page may use. */
export interface AuthenticatedWidget {
  readonly projectId: string;
  readonly organizationId: string;
  readonly publishableKey: string;
  /** Origin of the page that sent the request. */
  readonly origin: string;
  readonly visitorSecret: Uint8Array;
  readonly identity: IdentityPolicy;
}

/** Defines which verified ids of visitors are valid. */
export interface IdentityPolicy {
  /** If true, anonymous visitors are refused. */
  readonly isRequired: boolean;
  /** Versions of the secrets that verify ids: the current version and, during a rotation, also the previous version. */
  readonly versions: readonly number[];
}

/**
 * Returns the widget for a key and an origin. Reads the database for every request, so that changes apply immediately.
 * @throws DomainError FORBIDDEN when the key is unknown, the widget is disabled, or the origin is missing or not
 *   allowed. All cases have the same message
 */
export async function authenticateWidgetRequest(
  { pool }: { readonly pool: Pool },
  {
    publishableKey,
    origin,
  }: { readonly publishableKey: string; readonly origin: string | undefined },
): Promise<AuthenticatedWidget> {
  const row = isWellFormedPublishableKey(publishableKey)
    ? await findWidget(pool, publishableKey)
    : null;
  if (row === null || origin === undefined || !isAllowedOrigin(origin, row.allowedOrigins)) {
    throw new DomainError('FORBIDDEN', 'The chat is not available on this site');
  }
  const { projectId, organizationId, visitorSecret, isIdentityRequired, identityVersions } = row;
  const identity = { isRequired: isIdentityRequired, versions: identityVersions };
  return { projectId, organizationId, publishableKey, origin, visitorSecret, identity };
}

/**
 * Checks again that a visitor may use the widget.
 * @throws DomainError from `authenticateWidgetRequest`
 * @throws DomainError UNAUTHENTICATED from `requireValidIdentity`
 */
export async function reauthorizeVisitor(
  adapters: { readonly pool: Pool },
  visitor: VisitorCaller,
): Promise<void> {
  requireValidIdentity(await authenticateWidgetRequest(adapters, visitor), visitor.identityVersion);
}

/**
 * Requires that the secret which verified a visitor's id is still valid. For an anonymous visitor, requires that the
 * widget serves anonymous visitors.
 * @throws DomainError UNAUTHENTICATED otherwise
 */
export function requireValidIdentity(
  { identity }: Pick<AuthenticatedWidget, 'identity'>,
  version: number | null,
): void {
  if (version === null ? !identity.isRequired : identity.versions.includes(version)) return;
  throw new DomainError(
    'UNAUTHENTICATED',
    version === null
      ? 'The chat is for signed-in users: start a visit with userId and userHash'
      : 'The identity secret was replaced: start a visit with a new userHash',
  );
}

interface WidgetRow {
  readonly projectId: string;
  readonly organizationId: string;
  readonly allowedOrigins: readonly string[];
  readonly visitorSecret: Uint8Array;
  readonly isIdentityRequired: boolean;
  readonly identityVersions: readonly number[];
}

async function findWidget(pool: Pool, publishableKey: string): Promise<WidgetRow | null> {
  const [widget = null] = await runSql<WidgetRow>(pool, findOpenWidget, [publishableKey]);
  return widget;
}

const findOpenWidget = {
  name: 'find-open-widget',
  text: `
    select widget.project_id as "projectId", project.organization_id as "organizationId",
      widget.allowed_origins as "allowedOrigins", widget.visitor_secret as "visitorSecret",
      widget.is_identity_required as "isIdentityRequired",
      array_remove(array[
        case when widget.identity_secret is not null then widget.identity_version end,
        case when widget.previous_identity_secret_expires_at > now() then widget.identity_version - 1 end
      ], null) as "identityVersions"
    from grounded.widgets widget join grounded.projects project on project.id = widget.project_id
    where widget.publishable_key = $1 and widget.is_enabled`,
};
