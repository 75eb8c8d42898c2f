const countFormat = new Intl.NumberFormat('en');
const compactFormat = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const formatCount = (count: number) => countFormat.format(count);

/** Formats a count for narrow places: `12.5K`. */
export const formatCompactNumber = (count: number) => compactFormat.format(count);

/** Formats a share between 0 and 1: `12.5%`. */
export const formatPercent = (share: number) => percentFormat.format(share);
