import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { createDirectory } from '../platform/create-directory.ts';

/**
 * Returns the secret in a file. If there is no file, creates it with `byteCount` random bytes, readable only by its
 * owner.
 * @throws ConfigError when the file is empty
 */
export async function readOrCreateSecretFile(
  path: string,
  byteCount: number,
  encoding: 'base64' | 'base64url',
): Promise<string> {
  const secret = (await readSecretFile(path)) ?? (await createSecret(path, byteCount, encoding));
  if (secret === '') {
    throw new ConfigError([`${path} is empty: delete the file to create a new secret`]);
  }
  return secret;
}

/** Returns the content of the file, or undefined if there is none. */
export function readSecretFile(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreErrorCode('ENOENT'));
}

/**
 * Creates the secret. If several processes start at once, the first one creates it: `link` fails if the file exists.
 */
async function createSecret(
  path: string,
  byteCount: number,
  encoding: 'base64' | 'base64url',
): Promise<string> {
  await createDirectory(dirname(path));
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, randomBytes(byteCount).toString(encoding), {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    await link(partial, path).catch(ignoreErrorCode('EEXIST'));
  } finally {
    await rm(partial, { force: true });
  }
  return readFile(path, 'utf8');
}

function ignoreErrorCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
