import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

interface Form {
  readonly prefix: string;
  /** Of randomness. */
  readonly bytes: number;
  /** In characters: 62^43 exceeds 2^256, and 62^22 exceeds 2^128. */
  readonly length: number;
}

const secretForm: Form = { prefix: 'sk_', bytes: 32, length: 43 };
/** Of a key that everybody may see: it names a widget, and proves nothing. */
const publishableForm: Form = { prefix: 'pk_', bytes: 16, length: 22 };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^6 exceeds 2^32. */
const checksumLength = 6;

/**
 * A new key: `sk_`, 256 random bits in base62 (43 characters) and their CRC-32 (6 characters), so that
 * secret scanners recognise a leaked key without asking us. The layout follows GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function generateKeyText(): string {
  return generate(secretForm);
}

/** Whether a text has the form of a key, checksum included. Costs no look-up. */
export function isKeyText(text: string): boolean {
  return hasForm(text, secretForm);
}

/** A new publishable key: `pk_`, 128 random bits (22 characters) and their CRC-32. */
export function generatePublishableKeyText(): string {
  return generate(publishableForm);
}

/** As `isKeyText`, of a publishable key. */
export function isPublishableKeyText(text: string): boolean {
  return hasForm(text, publishableForm);
}

/** What is stored instead of a key. A plain hash is enough for 256 random bits. */
export function hashKeyText(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** What is shown of a key after its creation. */
export function displayParts(text: string): { prefix: string; lastFour: string } {
  return { prefix: text.slice(0, secretForm.prefix.length + 4), lastFour: text.slice(-4) };
}

function generate({ prefix, bytes, length }: Form): string {
  const random = base62(BigInt(`0x${randomBytes(bytes).toString('hex')}`), length);
  return prefix + random + checksum(random);
}

function hasForm(text: string, { prefix, length }: Form): boolean {
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
