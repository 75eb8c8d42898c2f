import { isUtf8 } from 'node:buffer';
import { looksBinary } from './looks-binary.ts';

const DETECTION_SAMPLE_BYTES = 262_144;

/** What the detector may answer (its name) and who decodes it (the name of the Encoding Standard). */
const ENCODINGS: Readonly<Record<string, string>> = {
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
 * The text in `bytes`: by its byte order mark, else as UTF-8 if it is valid, else in the encoding that
 * statistics find (UTF-16 and UTF-32 without a mark, the windows, ISO, KOI8 and East Asian encodings).
 * Null when `bytes` are no text.
 */
export async function decodeText(bytes: Uint8Array): Promise<string | null> {
  const marked = encodingOfByteOrderMark(bytes);
  if (marked !== null) return decodeAs(marked, bytes);
  if (looksBinary(bytes)) return null;
  const sample = bytes.subarray(0, DETECTION_SAMPLE_BYTES);
  const utf8 = sample.includes(0) || sample.includes(0x1b) ? null : decodeUtf8(bytes);
  return utf8 ?? decodeAs(await detectEncoding(sample), bytes);
}

function encodingOfByteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  return null;
}

/** UTF-8 with some damage has few replacement characters; another encoding read as UTF-8 has many. */
function decodeUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (isUtf8(bytes)) return text;
  const foreign = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const replaced = text.match(/\ufffd/g)?.length ?? 0;
  return replaced <= foreign * 0.05 ? text : null;
}

/**
 * The detector's model takes 110 ms to load, so only files that are not UTF-8 pay for it. Its weakest
 * guesses of a Central European encoding are Western text more often than not.
 */
async function detectEncoding(sample: Uint8Array): Promise<string> {
  const { chardet } = await import('jschardet');
  const found = chardet.detect(sample, { includeEncodings: Object.keys(ENCODINGS) });
  const encoding = ENCODINGS[found.encoding?.toLowerCase() ?? ''] ?? 'windows-1252';
  const isCentralEuropean = encoding === 'windows-1250' || encoding === 'iso-8859-2';
  return isCentralEuropean && found.confidence < 0.22 ? 'windows-1252' : encoding;
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, encoding === 'utf-32le');
  return new TextDecoder(encoding).decode(bytes);
}

/** `TextDecoder` has no UTF-32. */
function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittleEndian);
    parts.push(point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point));
  }
  return parts.join('');
}
