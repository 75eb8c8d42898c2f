import type { Pool } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { isWellFormedPublishableKey } from '../api-keys/api-key-format.ts';
import { isAllowedOrigin } from './allowed-origins.ts';

/** A widget that the requesting page may use. */
export interface AuthenticatedWidget {
  readonly projectId: string;
  readonly organizationId: string;
  readonly publishableKey: string;
  /** Origin of the page. */
  readonly origin: string;
  readonly visitorSecret: Uint8Array;
}

/**
 * Returns the widget for a key and an origin. Reads the database for every request, so that changes apply at once.
 * @throws DomainError FORBIDDEN when the key is unknown, the widget is disabled, or the origin is missing or not
 * allowed. The message is the same in all cases
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
  const { projectId, organizationId, visitorSecret } = row;
  return { projectId, organizationId, publishableKey, origin, visitorSecret };
}

interface WidgetRow {
  readonly projectId: string;
  readonly organizationId: string;
  readonly allowedOrigins: readonly string[];
  readonly visitorSecret: Uint8Array;
}

async function findWidget(pool: Pool, publishableKey: string): Promise<WidgetRow | null> {
  const [widget = null] = await runSql<WidgetRow>(pool, findOpenWidget, [publishableKey]);
  return widget;
}

const findOpenWidget = {
  name: 'find-open-widget',
  text: `
    select widget.project_id as "projectId", project.organization_id as "organizationId",
      widget.allowed_origins as "allowedOrigins", widget.visitor_secret as "visitorSecret"
    from grounded.widgets widget join grounded.projects project on project.id = widget.project_id
    where widget.publishable_key = $1 and widget.is_enabled`,
};
