/** Returns a share from 0 to 1, or null if `whole` is 0. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : part / whole;
