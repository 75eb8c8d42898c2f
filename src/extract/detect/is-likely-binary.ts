import { detectUtf16 } from '../encoding/detect-utf16.ts';

const sampleBytes = 65_536;

/**
 * Whether `bytes` are probably not text in any encoding. This is the case if more than 1 % are control bytes and the
 * bytes are neither UTF-16 nor UTF-32.
 */
export function isLikelyBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (hasUtf16Or32ByteOrderMark(sample)) return false;
  const controls = countControlBytes(sample);
  if (controls.all <= Math.max(1, sample.length * 0.01)) return false;
  if (detectUtf16(sample) !== null) return false;
  return controls.all > controls.nul + sample.length * 0.005 || !looksUtf16Or32(sample);
}

function hasUtf16Or32ByteOrderMark(sample: Uint8Array): boolean {
  const [a, b, c, d] = sample;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return true;
  return a === 0 && b === 0 && c === 0xfe && d === 0xff;
}

function countControlBytes(sample: Uint8Array): { all: number; nul: number } {
  let all = 0;
  let nul = 0;
  for (const byte of sample) {
    // Does not count characters that occur in text: tab to carriage return, and Escape, which starts ISO-2022-JP
    // sequences.
    if (byte >= 0x20 ? byte !== 0x7f : (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b) continue;
    all += 1;
    if (byte === 0) nul += 1;
  }
  return { all, nul };
}

/** Whether most zero bytes are at the same position of each code unit, as in UTF-16 and UTF-32 text in Latin script. */
function looksUtf16Or32(sample: Uint8Array): boolean {
  const zeros = [0, 0, 0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 4] = (zeros[index % 4] ?? 0) + 1;
  });
  const quarter = sample.length / 4;
  const [z0 = 0, z1 = 0, z2 = 0, z3 = 0] = zeros.map((count) => count / quarter);
  const even = (z0 + z2) / 2;
  const odd = (z1 + z3) / 2;
  const isUtf16 = Math.max(even, odd) > 0.3 && Math.min(even, odd) < 0.05;
  const isUtf32 = (z2 > 0.9 && z3 > 0.9 && z0 < 0.1) || (z0 > 0.9 && z1 > 0.9 && z3 < 0.1);
  return isUtf16 || isUtf32;
}
