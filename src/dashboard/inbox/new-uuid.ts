/**
 * Returns a UUIDv7. `crypto.randomUUID` is not suitable: it returns version 4 and exists only on HTTPS and localhost.
 */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = (0x8 | ((bytes[9] ?? 0) & 0x3)).toString(16);
  const parts = [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `${variant}${random.slice(3, 6)}`,
    random.slice(6, 18),
  ];
  return parts.join('-');
}
