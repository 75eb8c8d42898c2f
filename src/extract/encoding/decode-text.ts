import { isUtf8 } from 'node:buffer';
import { isLikelyBinary } from '../detect/is-likely-binary.ts';
import { ExtractError } from '../extracted-text.ts';
import { chooseEncoding } from './choose-encoding.ts';
import { detectUtf16 } from './detect-utf16.ts';

const detectionSampleBytes = 262_144;

/** Maps jschardet's names of encodings to the names in the WHATWG Encoding Standard. */
const decoderByDetectedEncoding: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  'utf-32-le': 'utf-32le',
  'utf-32-be': 'utf-32be',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  'windows-1258': 'windows-1258',
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'iso-8859-2',
  'iso-8859-5': 'iso-8859-5',
  'iso-8859-6': 'iso-8859-6',
  'iso-8859-7': 'iso-8859-7',
  'iso-8859-8': 'iso-8859-8',
  'iso-8859-9': 'windows-1254',
  'iso8859-15': 'iso-8859-15',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  ibm866: 'ibm866',
  cp874: 'windows-874',
  cp932: 'shift_jis',
  shift_jis: 'shift_jis',
  'euc-jp': 'euc-jp',
  'iso-2022-jp': 'iso-2022-jp',
  'euc-kr': 'euc-kr',
  cp949: 'euc-kr',
  gb18030: 'gb18030',
  big5: 'big5',
};

/**
 * Decodes text in any common encoding. Returns null if `bytes` are not text. Takes the encoding from the byte order
 * mark. Without a mark, assumes UTF-16 if its zero bytes are found, or UTF-8 if almost all of the text is valid UTF-8.
 * Otherwise detects the encoding statistically. Statistical detection finds UTF-32 without a mark, and Windows, ISO,
 * KOI8 and East Asian encodings.
 */
export async function decodeText(bytes: Uint8Array): Promise<string | null> {
  const unicode = encodingOfByteOrderMark(bytes) ?? detectUtf16(bytes);
  if (unicode !== null) return decodeAs(unicode, bytes);
  if (isLikelyBinary(bytes)) return null;
  const sample = bytes.subarray(0, detectionSampleBytes);
  const utf8 = sample.includes(0) || sample.includes(0x1b) ? null : decodeUtf8(bytes);
  return utf8 ?? decodeAs(await detectEncoding(sample), bytes);
}

/**
 * Decodes a file whose type is a text format.
 * @throws ExtractError CORRUPT_FILE when the file is binary.
 */
export async function readText(bytes: Uint8Array): Promise<string> {
  const text = await decodeText(bytes);
  if (text === null) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains binary data, not text.');
  }
  return text;
}

/** Returns the encoding that the byte order mark shows, or null if there is no mark. */
export function encodingOfByteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  return null;
}

/**
 * Decodes UTF-8. Returns null if `bytes` have another encoding. In damaged UTF-8, at most 5 % of the non-ASCII
 * characters decode to replacement characters. In another encoding, many more do.
 */
function decodeUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (isUtf8(bytes)) return text;
  const nonAscii = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const replaced = text.match(/\ufffd/g)?.length ?? 0;
  return replaced <= nonAscii * 0.05 ? text : null;
}

/**
 * Detects the encoding with jschardet, and compares the guess with encodings for Latin letters. jschardet takes 110 ms
 * to load, so it is imported only for files that are not UTF-8.
 */
async function detectEncoding(sample: Uint8Array): Promise<string> {
  const { chardet } = await import('jschardet');
  const found = chardet.detect(sample, {
    includeEncodings: Object.keys(decoderByDetectedEncoding),
  });
  const guess = decoderByDetectedEncoding[found.encoding?.toLowerCase() ?? ''] ?? 'windows-1252';
  return /^(?:utf-|iso-2022)/.test(guess) ? guess : chooseEncoding(sample, guess);
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, encoding === 'utf-32le');
  return new TextDecoder(encoding).decode(bytes);
}

/** Decodes UTF-32, which `TextDecoder` does not support. */
function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittleEndian);
    parts.push(point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point));
  }
  return parts.join('');
}
