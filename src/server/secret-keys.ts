import { join } from 'node:path';
import { ConfigError } from '../config/config.ts';
import type { Context } from '../domain/context.ts';
import {
  countPlainSecrets,
  listMissingSecretKeys,
} from '../domain/webhooks/encrypt-webhook-secrets.ts';
import { createSecretBox, type SecretBox, secretKeyBytes } from '../platform/secrets/secret-box.ts';
import { readOrCreateSecretFile, readSecretFile } from './secret-file.ts';

const secretsKeyFile = 'secrets-key';

interface SecretKeySettings {
  readonly secretsKeys?: readonly string[];
  readonly dataDir: string;
  /** Creates a key even if another key, which is lost, encrypts stored secrets. */
  readonly replacesLostKey?: boolean;
}

/**
 * Returns the encryption of stored secrets. It uses the keys of `SECRETS_KEY`. Without `SECRETS_KEY`, it uses a key
 * that the first start creates in the data directory. With `SECRETS_KEY`, the key in the data directory can still
 * decrypt. If the key is missing and `listUsedKeys` returns one, creates none: the encryption has no key.
 */
export async function loadSecretBox(
  { secretsKeys = [], dataDir, replacesLostKey = false }: SecretKeySettings,
  listUsedKeys: () => Promise<readonly string[]>,
): Promise<SecretBox> {
  const path = join(dataDir, secretsKeyFile);
  let stored = await readSecretFile(path);
  // A new key would take the place of the one that an operator has not restored yet.
  const mayCreate = async () => replacesLostKey || (await listUsedKeys()).length === 0;
  if (secretsKeys.length === 0) {
    if (stored === undefined && (await mayCreate()))
      stored = await readOrCreateSecretFile(path, secretKeyBytes, 'base64');
    if (stored === '') throw new ConfigError([`${path} is empty: restore it from a backup`]);
  }
  const configured = secretsKeys.map((key) => Buffer.from(key, 'base64'));
  return createSecretBox([...configured, ...(stored ? [parseKeyFile(path, stored)] : [])]);
}

function parseKeyFile(path: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === secretKeyBytes) return key;
  throw new ConfigError([
    `${path} is not a key of ${secretKeyBytes} bytes in base64: restore it from a backup`,
  ]);
}

/**
 * Checks that every key that encrypts stored secrets is available.
 * @throws ConfigError when one of these keys is missing
 */
export async function requireSecretKeys(context: Context): Promise<void> {
  const missing = await listMissingSecretKeys(context);
  if (missing.length === 0) return;
  throw new ConfigError([
    `SECRETS_KEY and DATA_DIR/${secretsKeyFile} lack the key ${missing.join(', ')}, which encrypts stored secrets of webhooks, sources and widgets. Was the database restored without its key? Copy the file ${secretsKeyFile} of the backup to DATA_DIR, or add its content to SECRETS_KEY after a comma. If the key is lost, replace these secrets with "npm run cli -- secrets rotate --replace-unreadable"`,
  ]);
}

export async function warnOfPlainSecrets(context: Context): Promise<void> {
  const count = await countPlainSecrets(context);
  if (count === 0) return;
  context.log.warn(
    { count },
    'webhook secrets are stored in plain text: set SECRETS_KEY and run "npm run cli -- secrets rotate"',
  );
}
