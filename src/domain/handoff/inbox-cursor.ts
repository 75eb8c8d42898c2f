/** Names a place in a project's inbox to clients, who are to hand it back as it is. */
export function inboxCursor(position: bigint): string {
  return Buffer.from(`inbox:${position}`).toString('base64url');
}

/** The position that a cursor names, or null for a text that is none. */
export function findInboxPosition(cursor: string): bigint | null {
  const digits = /^inbox:(0|[1-9]\d{0,17})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (digits === undefined) return null;
  const position = BigInt(digits);
  return inboxCursor(position) === cursor ? position : null;
}
