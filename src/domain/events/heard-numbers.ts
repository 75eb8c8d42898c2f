/**
 * Which of the numbered hints have been heard. What is sent by Realtime can get lost while the connection stays: when
 * Realtime reads the database anew, it goes on from then.
 */
export interface HeardNumbers {
  hear(number: number): void;
  /**
   * Told with every beat the number of the last hint; says whether one that had been sent by the beat before has not
   * been heard by now. Each is missed once. One of a transaction that was rolled back, or takes long, is as well.
   */
  isOneMissing(lastSent: number): boolean;
}

/** More than ever are on their way between two beats; what is behind them counts as missing. */
const maxKept = 50_000;

/** `lastSent` is the number of the last hint before those that are listened for. */
export function heardNumbers(lastSent: number): HeardNumbers {
  const heard = new Set<number>();
  let checked = lastSent;
  let next = lastSent;
  return {
    hear(number) {
      if (number > checked && heard.size < maxKept) heard.add(number);
    },
    isOneMissing(lastSent) {
      let isMissing = false;
      for (; checked < next; checked += 1) {
        if (!heard.delete(checked + 1)) isMissing = true;
      }
      next = Math.max(next, lastSent);
      return isMissing;
    },
  };
}
