import type { Logger } from 'pino';

/** Largest plausible count of one call. The counts are stored and summed, so an absurd one would spoil the usage. */
const maxTokens = 10_000_000;

/** Maximum number of models whose wrong counts are logged. Callers of evaluation runs choose names of models. */
const maxLoggedModels = 100;
const loggedModels = new Set<string>();

/** Called for a reply whose token counts are ignored. */
export type ReportInvalidUsage = (usage: unknown) => void;

/** Returns a function that logs once per model and process that a server reports wrong token counts. */
export function invalidUsageReporter(log: Logger | undefined, model: string): ReportInvalidUsage {
  return (usage) => {
    if (log === undefined || loggedModels.has(model) || loggedModels.size >= maxLoggedModels)
      return;
    loggedModels.add(model);
    const reported = JSON.stringify(usage).slice(0, maxLoggedLength);
    log.warn({ model, reported }, 'the model server reports wrong token counts: estimating them');
  };
}

const maxLoggedLength = 200;

/**
 * Returns the token counts with these names in the `usage` of a reply, in the order of the names. Returns null if one is
 * missing, or is not a whole number from 0 to 10,000,000, which is reported. The caller then estimates all of them.
 */
export function readTokenCounts(
  usage: unknown,
  names: readonly string[],
  reportInvalid: ReportInvalidUsage,
): readonly number[] | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const reported = names.map((name): unknown => Reflect.get(usage, name));
  if (reported.some((count) => count === undefined || count === null)) return null;
  const counts = reported.filter(isTokenCount);
  if (counts.length === names.length) return counts;
  reportInvalid(usage);
  return null;
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens;
}
