/**
 * Escapes LIKE wildcards in `text`, so that a pattern matches the text literally. Needed because Prisma's `contains`
 * does not escape wildcards.
 */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
