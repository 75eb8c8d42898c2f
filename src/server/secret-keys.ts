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

/**
 * Returns the encryption of stored secrets. It uses the keys of `SECRETS_KEY`. Without `SECRETS_KEY`, it uses a key
 * that the first start creates in the data directory. With `SECRETS_KEY`, the key in the data directory can still
 * decrypt.
 */
export async function loadSecretBox({
  secretsKeys = [],
  dataDir,
}: {
  readonly secretsKeys?: readonly string[];
  readonly dataDir: string;
}): Promise<SecretBox> {
  const path = join(dataDir, secretsKeyFile);
  const stored =
    secretsKeys.length > 0
      ? await readSecretFile(path)
      : await readOrCreateSecretFile(path, secretKeyBytes, 'base64');
  const configured = secretsKeys.map((key) => Buffer.from(key, 'base64'));
  const [first, ...others] = [...configured, ...(stored ? [parseKeyFile(path, stored)] : [])];
  if (first === undefined) throw new ConfigError([`${path} is empty: restore it from a backup`]);
  return createSecretBox([first, ...others]);
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
    `SECRETS_KEY and DATA_DIR/${secretsKeyFile} lack the key ${missing.join(', ')}, which encrypts stored secrets of webhooks, sources and widgets: restore it from a backup, or replace these secrets with "npm run cli -- secrets rotate --replace-unreadable"`,
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
