const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes in powers of 1,000: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : Number(value.toFixed(1))} ${units[power]}`;
}
