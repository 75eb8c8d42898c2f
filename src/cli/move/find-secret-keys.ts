import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { listUsedSecretKeys } from '../../domain/webhooks/encrypt-webhook-secrets.ts';
import { loadSecretBox } from '../../server/secret-keys.ts';

/** A key that encrypts stored secrets. */
export interface UsedSecretKey {
  readonly id: string;
  /** Where the key is now. `elsewhere`: neither in the settings nor in the data directory. */
  readonly place: 'SECRETS_KEY' | 'DATA_DIR/secrets-key' | 'elsewhere';
}

/** Lists the keys that the target needs, because secrets are copied as they are. */
export async function findSecretKeys(client: pg.Client, config: Config): Promise<UsedSecretKey[]> {
  const used = await listUsedSecretKeys(client);
  if (used.length === 0) return [];
  const known = (await loadSecretBox(config, async () => used)).keyIds;
  // The keys of SECRETS_KEY are the first.
  const configured = known.slice(0, new Set(config.secretsKeys).size);
  return used.map((id) => {
    if (configured.includes(id)) return { id, place: 'SECRETS_KEY' };
    return { id, place: known.includes(id) ? 'DATA_DIR/secrets-key' : 'elsewhere' };
  });
}
