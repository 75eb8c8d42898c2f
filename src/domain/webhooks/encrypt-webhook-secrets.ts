import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import { encryptOutdated, type SecretRotation } from '../../platform/secrets/encrypt-outdated.ts';
import { encryptedPrefix } from '../../platform/secrets/secret-box.ts';
import { type Context, transaction } from '../context.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import { generateWebhookSecret } from './webhook-signature.ts';

/** Returns the ids of the keys that are needed to decrypt stored secrets but that the service does not have. */
export async function listMissingSecretKeys({ pool, secretBox }: Context): Promise<string[]> {
  return (await listUsedSecretKeys(pool)).filter((id) => !secretBox.keyIds.includes(id));
}

/** Returns the ids of the keys that encrypt stored secrets. */
export async function listUsedSecretKeys(client: SqlClient): Promise<string[]> {
  const rows = await runSql<{ id: string }>(client, usedKeys, [encryptedPrefix]);
  return rows.map(({ id }) => id);
}

const usedKeys = `
  select distinct split_part(value, '.', 2) as id
  from (
    select unnest(array[secret, previous_secret]) as value from grounded.webhook_endpoints
    union all select secret from grounded.sources
    union all select identity_secret from grounded.widgets
    union all select previous_identity_secret from grounded.widgets where previous_identity_secret_expires_at > now()
  ) as stored
  where starts_with(value, $1) order by 1`;

/** Returns the number of endpoints with a secret that an earlier version has stored as plain text. */
export async function countPlainSecrets({ pool }: Context): Promise<number> {
  const [row] = await runSql<{ count: number }>(pool, plainSecretCount, [encryptedPrefix]);
  return row?.count ?? 0;
}

const plainSecretCount = `
  select count(*)::integer as count from grounded.webhook_endpoints where not starts_with(secret, $1)`;

/**
 * Encrypts all webhook secrets that are not encrypted with the first encryption key, including plain-text secrets of
 * earlier versions. Replaces those whose encryption key is missing, and disables their endpoints.
 * @throws Error when a secret cannot be decrypted, unless `replaceUnreadable`
 */
export function encryptWebhookSecrets(
  context: Context,
  { replaceUnreadable = false }: { readonly replaceUnreadable?: boolean } = {},
): Promise<SecretRotation> {
  const { secretBox } = context;
  return encryptOutdated<Secrets>(context, outdated, async (endpoint) => {
    const { id, projectId, secret, previousSecret } = endpoint;
    const isLost = [secret, previousSecret].some(
      (value) => value !== null && !secretBox.canDecrypt(value),
    );
    if (isLost && replaceUnreadable) return replaceSecret(context, endpoint);
    const reencrypt = (value: string) => secretBox.encrypt(secretBox.decrypt(value, id), id);
    const previous = previousSecret === null ? null : reencrypt(previousSecret);
    const { count } = await context.db.webhookEndpoint.updateMany({
      where: { id, projectId, secret, previousSecret },
      data: { secret: reencrypt(secret), previousSecret: previous },
    });
    return count === 0 ? null : 'encrypted';
  });
}

interface Secrets {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly secret: string;
  readonly previousSecret: string | null;
}

const outdated = `
  select id, project_id as "projectId", url, secret, previous_secret as "previousSecret"
  from grounded.webhook_endpoints
  where ($2::uuid is null or id > $2)
    and (not starts_with(secret, $1) or not starts_with(previous_secret, $1))
  order by id limit $3`;

/** Stores a new secret, disables the endpoint and records both in the audit log. */
function replaceSecret(context: Context, endpoint: Secrets): Promise<'replaced' | null> {
  const { id, projectId, secret, previousSecret } = endpoint;
  return transaction(context, async (context) => {
    const { count } = await context.db.webhookEndpoint.updateMany({
      where: { id, projectId, secret, previousSecret },
      data: {
        secret: context.secretBox.encrypt(generateWebhookSecret(), id),
        previousSecret: null,
        previousSecretExpiresAt: null,
        disabledAt: new Date(),
        disabledReason:
          'The key of its secret was lost: rotate the secret, then enable the endpoint',
      },
    });
    if (count === 0) return null;
    const change = { reason: 'key lost', disabled: true };
    await auditEndpoint(context, 'WEBHOOK_SECRET_ROTATED', endpoint, change);
    return 'replaced';
  });
}
