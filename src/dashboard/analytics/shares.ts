/** Returns a share, 0 to 1, or null if there is nothing to share. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : part / whole;
