const counts = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const sayCount = (count: number) => counts.format(count);

/** With little room: `12.5K`. */
export const sayCompact = (count: number) => compact.format(count);

/** Of 1: `12.5%`. */
export const sayShare = (share: number) => shares.format(share);
