const sampleBytes = 65_536;

/** Maximum share of code units that are invalid in text. */
const maxInvalidShare = 0.002;
/** Minimum share of ASCII characters, such as spaces, line ends and digits. Their high byte is zero. */
const minAsciiShare = 0.005;
/**
 * Maximum share of the other code units that consist of two ASCII bytes. In 8-bit text with zero bytes, nearly all
 * other code units do.
 */
const maxAsciiPairShare = 0.6;

/**
 * Returns the byte order if `bytes` are UTF-16 text without a byte order mark. Returns null otherwise. Text in any
 * script contains spaces, line ends or digits, and their zero bytes are at the same position of each code unit.
 */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(sampleBytes, bytes.length - (bytes.length % 2)));
  if (!sample.includes(0)) return null;
  const littleEndian = countAscii(sample, 1);
  const bigEndian = countAscii(sample, 0);
  const isLittleEndian = littleEndian.single >= bigEndian.single;
  const encoding = isLittleEndian ? 'utf-16le' : 'utf-16be';
  const ascii = isLittleEndian ? littleEndian : bigEndian;
  const units = sample.length / 2;
  if (ascii.single < units * minAsciiShare) return null;
  if (ascii.pairs > (units - ascii.single) * maxAsciiPairShare) return null;
  const text = new TextDecoder(encoding).decode(sample);
  const invalid = text.match(invalidPattern)?.length ?? 0;
  return invalid <= units * maxInvalidShare ? encoding : null;
}

/**
 * Matches control characters that text does not contain, unassigned characters, private characters, and lone
 * surrogates.
 */
const invalidPattern = /(?![\t\n\v\f\r])[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;

/**
 * Counts the code units that are one ASCII character (`single`), and the code units that consist of two ASCII bytes
 * (`pairs`).
 */
function countAscii(sample: Uint8Array, highByte: 0 | 1): { single: number; pairs: number } {
  let single = 0;
  let pairs = 0;
  for (let at = 0; at < sample.length; at += 2) {
    if (!isAsciiText(sample[at + 1 - highByte])) continue;
    const high = sample[at + highByte];
    if (high === 0) single += 1;
    else if (isAsciiText(high)) pairs += 1;
  }
  return { single, pairs };
}

function isAsciiText(byte = 0): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
