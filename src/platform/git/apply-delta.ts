/**
 * Applies a delta of a pack to its base object (https://git-scm.com/docs/gitformat-pack). Returns null if the delta is
 * damaged. Returns 'too large' if the result is larger than `maxBytes`.
 */
export function applyDelta(
  base: Buffer,
  delta: Buffer,
  maxBytes: number,
): Buffer | null | 'too large' {
  let at = 0;
  const readSize = () => {
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at] ?? 0;
      at += 1;
      size += (byte & 127) * scale;
      if ((byte & 128) === 0 || scale > 2 ** 40) return size;
    }
  };
  /**
   * Reads a little-endian number. `flags` has one bit per byte of the number; only the bytes whose bit is set are
   * stored.
   */
  const readBytes = (flags: number, count: number) => {
    let value = 0;
    for (let index = 0; index < count; index += 1) {
      if ((flags & (1 << index)) === 0) continue;
      value += (delta[at] ?? 0) * 256 ** index;
      at += 1;
    }
    return value;
  };
  const baseSize = readSize();
  const resultSize = readSize();
  if (baseSize !== base.length) return null;
  if (resultSize > maxBytes) return 'too large';
  const result = Buffer.alloc(resultSize);
  let length = 0;
  while (at < delta.length) {
    const code = delta[at] ?? 0;
    at += 1;
    const isCopy = (code & 128) !== 0;
    const start = isCopy ? readBytes(code, 4) : at;
    const size = isCopy ? readBytes(code >> 4, 3) || 65_536 : code;
    const source = isCopy ? base : delta;
    if (size === 0 || start + size > source.length || length + size > resultSize) return null;
    source.copy(result, length, start, start + size);
    length += size;
    if (!isCopy) at += size;
  }
  return length === resultSize ? result : null;
}
