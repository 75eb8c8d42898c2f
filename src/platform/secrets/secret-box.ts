import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts secrets that the database stores. */
export interface SecretBox {
  /** Id of the key that encrypts new values. Empty if there is no key. */
  readonly currentKeyId: string;
  readonly keyIds: readonly string[];
  /** Encrypts with the first key. `decrypt` succeeds only with the same `associatedData`. */
  encrypt(plaintext: string, associatedData: string): string;
  /**
   * Decrypts with the key that encrypted the value. Returns a value without the prefix `v1.` unchanged, because an
   * earlier version stored it unencrypted.
   * @throws Error when the key is missing, the value was changed, or the value was encrypted for another row
   */
  decrypt(stored: string, associatedData: string): string;
  /** Whether the key that encrypted the value is there. True for a value that is not encrypted. */
  canDecrypt(stored: string): boolean;
}

/** Prefix of all encrypted values. If the format changes, the prefix must change too. */
export const encryptedPrefix = 'v1.';
export const secretKeyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Creates a box that uses AES-256-GCM. The first key encrypts. All keys can decrypt. Without keys, both throw. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const keyById = new Map(keys.map((key) => [computeKeyId(key), key]));
  const [current] = keys;
  const currentKeyId = current === undefined ? '' : computeKeyId(current);
  return {
    currentKeyId,
    keyIds: [...keyById.keys()],
    encrypt(plaintext, associatedData) {
      if (current === undefined) throw new Error('The key that encrypts stored secrets is missing');
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current, nonce);
      cipher.setAAD(Buffer.from(associatedData));
      const body = [nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${encryptedPrefix}${currentKeyId}.${Buffer.concat(body).toString('base64')}`;
    },
    decrypt(stored, associatedData) {
      const keyId = readKeyId(stored);
      if (keyId === null) return stored;
      const key = keyById.get(keyId);
      if (key === undefined) throw new Error(`A stored secret needs the missing key ${keyId}`);
      const body = Buffer.from(stored.slice(stored.lastIndexOf('.') + 1), 'base64');
      const nonce = body.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(associatedData)).setAuthTag(body.subarray(-tagBytes));
      const text = decipher.update(body.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    canDecrypt(stored) {
      const keyId = readKeyId(stored);
      return keyId === null || keyById.has(keyId);
    },
  };
}

/** Returns the id of the key of an encrypted value, or null if the value is not encrypted. */
export function readKeyId(stored: string): string | null {
  return stored.startsWith(encryptedPrefix) ? (stored.split('.')[1] ?? '') : null;
}

/** Returns a hash that identifies the key without revealing it. */
function computeKeyId(key: Buffer): string {
  return createHash('sha256').update('grounded-chat key id').update(key).digest('hex').slice(0, 16);
}
