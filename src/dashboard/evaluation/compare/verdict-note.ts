import { formatCountOf } from '../../format/format-numbers.ts';

interface Compared {
  readonly verdict: 'BETTER' | 'WORSE' | 'NO_DIFFERENCE' | 'TOO_FEW';
  readonly before: number;
  readonly after: number;
  /** Number of questions. */
  readonly n: number;
}

/** From this relative difference on, readers wonder why the verdict sees none. */
const noticeableShare = 0.1;

/** Returns why there is no clear difference, although the figures differ much. Null if there is nothing to explain. */
export function verdictNote({ verdict, before, after, n }: Compared): string | null {
  const isNoticeable =
    Math.abs(after - before) >= noticeableShare * Math.max(before, after) && before !== after;
  if (verdict !== 'NO_DIFFERENCE' || !isNoticeable) return null;
  return `With ${formatCountOf(n, 'question')}, a difference of this size can be chance.`;
}
