import { formatCount, formatPercent } from '../../format/format-numbers.ts';
import type { Agreement } from './run-operations.ts';

/** Says how far the verdicts of the language model agree with the marks of people. */
export function describeAgreement({ n, share, low, high, kappa }: Agreement): string {
  const agreed = formatCount(Math.round(share * n));
  const marks = `${formatCount(n)} ${n === 1 ? 'mark' : 'marks'}`;
  const interval = `${formatPercent(share)}, ${formatPercent(low)} to ${formatPercent(high)}`;
  const beyondChance = kappa === null ? '' : `. Cohen’s kappa: ${kappa.toFixed(2)}`;
  return `The model agrees with ${agreed} of ${marks} (${interval})${beyondChance}`;
}
