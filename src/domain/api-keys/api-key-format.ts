import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

interface KeyFormat {
  readonly prefix: string;
  /** Number of random bytes. */
  readonly entropyBytes: number;
  /**
   * Length of the random part in base62 characters: 43 for 256 bits (62^43 > 2^256), 22 for 128 bits (62^22 > 2^128).
   */
  readonly encodedLength: number;
}

const secretKeyFormat: KeyFormat = { prefix: 'sk_', entropyBytes: 32, encodedLength: 43 };
/** A publishable key is not a secret: it only identifies a widget. */
const publishableKeyFormat: KeyFormat = { prefix: 'pk_', entropyBytes: 16, encodedLength: 22 };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Length of the CRC-32 checksum in base62 characters. Six are enough, because 62^6 > 2^32. */
const checksumLength = 6;

/**
 * Generates an API key: `sk_`, 256 random bits in base62 (43 characters), and their CRC-32 (6 characters). The checksum
 * lets secret scanners recognize leaked keys without a request to us. The format follows GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function generateApiKey(): string {
  return generate(secretKeyFormat);
}

/** Returns whether a text has the format of an API key and a valid checksum. Does not query the database. */
export function isWellFormedApiKey(text: string): boolean {
  return matchesFormat(text, secretKeyFormat);
}

/** Generates a publishable key: `pk_`, 128 random bits (22 characters) and their CRC-32. */
export function generatePublishableKey(): string {
  return generate(publishableKeyFormat);
}

/** Returns whether a text has the format of a publishable key and a valid checksum. */
export function isWellFormedPublishableKey(text: string): boolean {
  return matchesFormat(text, publishableKeyFormat);
}

/** Returns the start and the last four characters of a key. They are stored, so that lists can show which key it is. */
export function keyPreview(text: string): { prefix: string; lastFour: string } {
  return { prefix: text.slice(0, secretKeyFormat.prefix.length + 4), lastFour: text.slice(-4) };
}

function generate({ prefix, entropyBytes: bytes, encodedLength: length }: KeyFormat): string {
  const random = base62(BigInt(`0x${randomBytes(bytes).toString('hex')}`), length);
  return prefix + random + checksum(random);
}

function matchesFormat(text: string, { prefix, encodedLength: length }: KeyFormat): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + length + checksumLength) {
    return false;
  }
  const random = text.slice(prefix.length, -checksumLength);
  return /^[0-9A-Za-z]+$/.test(random) && checksum(random) === text.slice(-checksumLength);
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
