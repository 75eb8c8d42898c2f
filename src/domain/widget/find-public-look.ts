import type { Pool } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { isWellFormedPublishableKey } from '../api-keys/api-key-format.ts';
import type { AuthenticatedWidget } from './authenticate-widget-request.ts';
import type { Look } from './widget-look.ts';

/** What the widget shows of its look before a visit. The service itself applies `agentNames`. */
export type PublicLook = Omit<Look, 'agentNames'>;

/**
 * Returns the look of an enabled widget, for every site: it is public, as the key is. The secret is for the rate limit
 * of the request.
 * @throws DomainError FORBIDDEN when the key is unknown or the widget is disabled, with the message of
 *   `authenticateWidgetRequest`
 */
export async function findPublicLook(
  { pool }: { readonly pool: Pool },
  publishableKey: string,
): Promise<{ readonly look: PublicLook } & Pick<AuthenticatedWidget, 'visitorSecret'>> {
  const [row] = isWellFormedPublishableKey(publishableKey)
    ? await runSql<PublicLook & Pick<AuthenticatedWidget, 'visitorSecret'>>(pool, findLook, [
        publishableKey,
      ])
    : [];
  if (row === undefined)
    throw new DomainError('FORBIDDEN', 'The chat is not available on this site');
  const { visitorSecret, ...look } = row;
  return { visitorSecret, look };
}

const findLook = {
  name: 'find-public-look',
  text: `
    select visitor_secret as "visitorSecret", title, greeting, color, position, logo_url as "logoUrl",
      starter_questions as "starterQuestions"
    from grounded.widgets
    where publishable_key = $1 and is_enabled`,
};
