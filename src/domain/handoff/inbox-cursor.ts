/** Encodes a position in a project's inbox as an opaque cursor. */
export function encodeInboxCursor(position: bigint): string {
  return Buffer.from(`inbox:${position}`).toString('base64url');
}

/** Decodes a cursor. Returns null if the text is not a valid cursor. */
export function decodeInboxCursor(cursor: string): bigint | null {
  const digits = /^inbox:(0|[1-9]\d{0,17})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (digits === undefined) return null;
  const position = BigInt(digits);
  return encodeInboxCursor(position) === cursor ? position : null;
}
