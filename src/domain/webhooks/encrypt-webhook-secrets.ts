import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import { encryptedPrefix, readKeyId } from '../../platform/secrets/secret-box.ts';
import { type Context, transaction } from '../context.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import { generateWebhookSecret } from './webhook-signature.ts';

const batchSize = 100;

export interface SecretRotation {
  /** Number of endpoints whose secrets were encrypted again with the first encryption key. */
  readonly encrypted: number;
  /**
   * Number of endpoints that received a new secret and were disabled, because the key for decrypting the old secret is
   * missing.
   */
  readonly replaced: number;
}

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
 * earlier versions. Runs in batches. Can be interrupted and repeated. If an endpoint changes in the meantime, skips it
 * until the next run.
 * @throws Error when a secret cannot be decrypted, unless `replaceUnreadable`
 */
export async function encryptWebhookSecrets(
  context: Context,
  { replaceUnreadable = false }: { readonly replaceUnreadable?: boolean } = {},
): Promise<SecretRotation> {
  const total = { encrypted: 0, replaced: 0 };
  let after: string | null = null;
  do {
    context.signal.throwIfAborted();
    const endpoints: Secrets[] = await listOutdated(context, after);
    for (const endpoint of endpoints) {
      const change = encryptEndpoint(context, endpoint, replaceUnreadable);
      if (await update(context, endpoint, change)) total[change.type] += 1;
    }
    after = endpoints.length < batchSize ? null : (endpoints.at(-1)?.id ?? null);
  } while (after !== null);
  return total;
}

interface Secrets {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly secret: string;
  readonly previousSecret: string | null;
}

/**
 * Uses SQL and not Prisma, because it runs at each start of the service, which should not load Prisma's query compiler.
 */
function listOutdated({ pool, secretBox }: Context, after: string | null): Promise<Secrets[]> {
  const current = `${encryptedPrefix}${secretBox.currentKeyId}.`;
  return runSql(pool, outdatedSecrets, [current, after, batchSize]);
}

const outdatedSecrets = `
  select id, project_id as "projectId", url, secret, previous_secret as "previousSecret"
  from grounded.webhook_endpoints
  where ($2::uuid is null or id > $2)
    and (not starts_with(secret, $1) or not starts_with(previous_secret, $1))
  order by id limit $3`;

interface SecretChange {
  readonly type: keyof SecretRotation;
  readonly data: Prisma.WebhookEndpointUpdateManyMutationInput;
}

function encryptEndpoint(
  { secretBox }: Context,
  { id, secret, previousSecret }: Secrets,
  replaceUnreadable: boolean,
): SecretChange {
  const reencrypt = (value: string) => secretBox.encrypt(secretBox.decrypt(value, id), id);
  const isReadable = [secret, previousSecret].every((value) => {
    const keyId = value === null ? null : readKeyId(value);
    return keyId === null || secretBox.keyIds.includes(keyId);
  });
  if (isReadable || !replaceUnreadable) {
    const previous = previousSecret === null ? null : reencrypt(previousSecret);
    return { type: 'encrypted', data: { secret: reencrypt(secret), previousSecret: previous } };
  }
  const data = {
    secret: secretBox.encrypt(generateWebhookSecret(), id),
    previousSecret: null,
    previousSecretExpiresAt: null,
    disabledAt: new Date(),
    disabledReason: 'The key of its secret was lost: rotate the secret, then enable the endpoint',
  };
  return { type: 'replaced', data };
}

/**
 * Stores the new secrets. If a secret was rotated in the meantime, changes nothing and returns false. Records a
 * replaced secret in the audit log.
 */
async function update(
  context: Context,
  endpoint: Secrets,
  { type, data }: SecretChange,
): Promise<boolean> {
  const { id, projectId, secret, previousSecret } = endpoint;
  const where = { id, projectId, secret, previousSecret };
  if (type === 'encrypted') {
    return (await context.db.webhookEndpoint.updateMany({ where, data })).count > 0;
  }
  return transaction(context, async (context) => {
    const { count } = await context.db.webhookEndpoint.updateMany({ where, data });
    if (count === 0) return false;
    const change = { reason: 'key lost', disabled: true };
    await auditEndpoint(context, 'WEBHOOK_SECRET_ROTATED', endpoint, change);
    return true;
  });
}
