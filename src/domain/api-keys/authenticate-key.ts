import type { Pool } from 'pg';
import type { ApiKeyCaller } from '../caller.ts';
import { DomainError } from '../errors.ts';
import type { ApiKeyScope } from '../generated/prisma/enums.ts';
import { hashKeyText, isKeyText } from './key-text.ts';

/**
 * Finds the caller behind an `Authorization` header of the form `Bearer sk_…`. One indexed read, never
 * cached, so that a revocation counts from the next request on every node.
 * Throws `UNAUTHENTICATED`, with one message for unknown, revoked and expired keys alike.
 */
export async function authenticateKey(
  { pool }: { readonly pool: Pool },
  authorization: string | undefined,
): Promise<ApiKeyCaller> {
  const text = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (text === undefined) {
    throw new DomainError(
      'UNAUTHENTICATED',
      'An API key is required: send the header "Authorization: Bearer <API_KEY>"',
    );
  }
  if (!isKeyText(text)) throw new DomainError('UNAUTHENTICATED', 'The API key is malformed');

  const found = await pool.query<KeyRow>({
    name: 'authenticate-key',
    text: findKey,
    values: [hashKeyText(text)],
  });
  const key = found.rows[0];
  if (key === undefined) throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  if (key.isUseStale) await pool.query(recordUse, [key.id]);
  return {
    type: 'key',
    keyId: key.id,
    organizationId: key.organizationId,
    projectId: key.projectId,
    scopes: key.scopes,
  };
}

interface KeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly scopes: readonly ApiKeyScope[];
  readonly isUseStale: boolean;
}

const findKey = `
  select id, organization_id as "organizationId", project_id as "projectId", scopes::text[] as scopes,
    coalesce(last_used_at < now() - interval '60 seconds', true) as "isUseStale"
  from grounded.api_keys
  where hash = $1
    and coalesce(revoked_at > now(), true)
    and coalesce(expires_at > now(), true)`;

/** At most one write a minute and key, however busy the key is. */
const recordUse = `
  update grounded.api_keys set last_used_at = now()
  where id = $1 and coalesce(last_used_at < now() - interval '60 seconds', true)`;
