import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'sk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 exceeds 2^256 and 62^6 exceeds 2^32. */
const secretLength = 43;
const checksumLength = 6;
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/**
 * A new key: `sk_`, 256 random bits in base62 (43 characters) and their CRC-32 (6 characters), so that
 * secret scanners recognise a leaked key without asking us. The layout follows GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function generateKeyText(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return prefix + secret + checksum(secret);
}

/** Whether a text has the form of a key, checksum included. Costs no look-up. */
export function isKeyText(text: string): boolean {
  if (!pattern.test(text)) return false;
  const secret = text.slice(prefix.length, -checksumLength);
  return checksum(secret) === text.slice(-checksumLength);
}

/** What is stored instead of a key. A plain hash is enough for 256 random bits. */
export function hashKeyText(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** What is shown of a key after its creation. */
export function displayParts(text: string): { prefix: string; lastFour: string } {
  return { prefix: text.slice(0, prefix.length + 4), lastFour: text.slice(-4) };
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  while (text.length < length) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
