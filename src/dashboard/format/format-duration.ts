/** Formats milliseconds: `340 ms`, `2.4 s`. */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}

/** Formats seconds of a wait: `45 s`, `1.7 min`, `12 min`, `3.5 h`, `2.1 days`, with a no-break space. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}\u00a0s`;
  if (seconds < 600) return `${Number((seconds / 60).toFixed(1))}\u00a0min`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)}\u00a0min`;
  const hours = seconds / 3_600;
  return hours < 48
    ? `${Number(hours.toFixed(1))}\u00a0h`
    : `${Number((hours / 24).toFixed(1))}\u00a0days`;
}
