import type { Pool } from 'pg';
import { isPublishableKeyText } from '../api-keys/key-text.ts';
import { DomainError } from '../errors.ts';
import { isAllowedOrigin } from './allowed-origins.ts';

/** A widget that a page may use. */
export interface OpenWidget {
  readonly projectId: string;
  readonly organizationId: string;
  readonly publishableKey: string;
  /** Of the page. */
  readonly origin: string;
  readonly visitorSecret: Uint8Array;
}

/**
 * The widget that a page may use, looked up with each request, so that a change counts from the next one on. Throws
 * `FORBIDDEN`, in the same words for a key that is unknown or switched off and for a page of a site that is not on the
 * list, or that does not say which.
 */
export async function requireOpenWidget(
  { pool }: { readonly pool: Pool },
  {
    publishableKey,
    origin,
  }: { readonly publishableKey: string; readonly origin: string | undefined },
): Promise<OpenWidget> {
  const row = isPublishableKeyText(publishableKey) ? await findWidget(pool, publishableKey) : null;
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
  const { rows } = await pool.query<WidgetRow>({ ...findOpenWidget, values: [publishableKey] });
  return rows[0] ?? null;
}

const findOpenWidget = {
  name: 'find-open-widget',
  text: `
    select widget.project_id as "projectId", project.organization_id as "organizationId",
      widget.allowed_origins as "allowedOrigins", widget.visitor_secret as "visitorSecret"
    from grounded.widgets widget join grounded.projects project on project.id = widget.project_id
    where widget.publishable_key = $1 and widget.is_enabled`,
};
