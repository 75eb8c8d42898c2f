import { looksBinary } from './looks-binary.ts';

const DETECTION_SAMPLE_BYTES = 262_144;

/** Names the detector gives that `TextDecoder` does not know, and the superset that decodes them. */
const DECODER_NAMES: Readonly<Record<string, string>> = {
  ascii: 'windows-1252',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  johab: 'euc-kr',
  cp866: 'ibm866',
  cp874: 'windows-874',
  'tis-620': 'windows-874',
  'iso-8859-1': 'windows-1252',
  'iso-8859-9': 'windows-1254',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  'utf-32-le': 'utf-32le',
  'utf-32-be': 'utf-32be',
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
  const wide = bytes.subarray(0, DETECTION_SAMPLE_BYTES).includes(0);
  return (wide ? null : decodeUtf8(bytes)) ?? decodeAs(await detectEncoding(bytes), bytes);
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

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The detector's model takes 110 ms to load, so only files that are not UTF-8 pay for it. */
async function detectEncoding(bytes: Uint8Array): Promise<string> {
  const { detect } = await import('jschardet');
  const sample = Buffer.from(bytes.subarray(0, DETECTION_SAMPLE_BYTES));
  const found = detect(sample).encoding?.toLowerCase() ?? 'windows-1252';
  return DECODER_NAMES[found] ?? found;
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, encoding === 'utf-32le');
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
