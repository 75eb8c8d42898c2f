/** A random UUID (version 4). `crypto.randomUUID` is there on https and on localhost alone. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, n) => {
    if (n === 6) return (0x40 | (byte & 0x0f)).toString(16);
    if (n === 8) return (0x80 | (byte & 0x3f)).toString(16);
    return byte.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
