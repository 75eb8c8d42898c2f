interface Amount {
  /** A number, or a text with decimals such as `12.340000`. */
  readonly amount: string | number;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** Decimals that the service stores. */
const maxDecimals = 6;

/** Formats an amount with its currency: `USD 12.34`, `USD 0.003125`. Below 1 it has up to four significant digits. */
export function formatAmount({ amount, currency }: Amount): string {
  return formatCurrency(Number(amount), currency, decimalsOf(Number(amount)));
}

/** Formats a price with its currency and all of its decimals: `USD 0.25`, `USD 0.000125`. */
export function formatPrice(price: number, currency: string): string {
  return formatCurrency(price, currency, maxDecimals);
}

/** Formats an amount without its currency, for the axis of a chart: `12.34`, `0.0031`, `12.5K`. */
export function formatAmountNumber(amount: number): string {
  return new Intl.NumberFormat('en', {
    notation: Math.abs(amount) < 1_000 ? 'standard' : 'compact',
    maximumFractionDigits: Math.abs(amount) < 1_000 ? decimalsOf(amount) : 1,
  }).format(amount);
}

function formatCurrency(amount: number, currency: string, maximumFractionDigits: number): string {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: 2,
    maximumFractionDigits,
  }).format(amount);
}

/** Returns how many decimals are meaningful: 2 from 1 on, otherwise those of four significant digits. */
function decimalsOf(amount: number): number {
  if (amount === 0 || Math.abs(amount) >= 1) return 2;
  return Math.min(maxDecimals, 3 - Math.floor(Math.log10(Math.abs(amount))));
}
