const countFormat = new Intl.NumberFormat('en');
const compactFormat = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const shareFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const formatCount = (count: number) => countFormat.format(count);

/** Formats a count. The service counts only up to 100, so a higher count is shown as `99+`. */
export const formatCappedCount = (count: number) => (count > 99 ? '99+' : String(count));

/** Formats a count with its noun: `1 message`, `1,200 messages`. */
export const formatCountOf = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a count for narrow places: `12.5K`. */
export const formatCompactNumber = (count: number) => compactFormat.format(count);

/** Formats a share between 0 and 1: `12.5 %`, with a no-break space. */
export const formatPercent = (share: number) => `${shareFormat.format(share * 100)}\u00a0%`;

/** Formats a share that may have nothing to measure: `–`. */
export const formatShare = (share: number | null) => (share === null ? '–' : formatPercent(share));
