/**
 * Escapes LIKE wildcards in `text`, so that a pattern matches it literally. Prisma's `contains` does not escape them.
 */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
