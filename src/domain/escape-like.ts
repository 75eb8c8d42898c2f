/** The text as a LIKE pattern of nothing but itself: Prisma's `contains` passes wildcards on. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
