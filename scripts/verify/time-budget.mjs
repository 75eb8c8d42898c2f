import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Expected seconds on an idle machine with two cores, for each step of the gate and each test file that takes at least
 * `listedSeconds`. vitest.config.ts uses them to start the slowest files first. `npm run gate -- --write-budget`
 * measures them.
 */
const budgetFile = 'test/time-budget.json';

/** A step may take its budget times this factor without a warning. */
const tolerance = 1.25;

/** A step may also exceed its budget by this many seconds, because a factor is too strict for a step of one second. */
const toleranceSeconds = 5;

/** The budget lists only files that take at least this long. */
const listedSeconds = 3;

const slowestShown = 5;

/** @returns {{steps: Record<string, number>, files: Record<string, number>}} */
export function readTimeBudget() {
  if (!existsSync(budgetFile)) return { steps: {}, files: {} };
  return JSON.parse(readFileSync(budgetFile, 'utf8'));
}

/**
 * Returns a warning for each step that took longer than its budget, with its slowest files. A slow step never makes a
 * run fail.
 */
export function findOverruns(results) {
  const { steps } = readTimeBudget();
  return results
    .filter(({ name, seconds }) => {
      const budget = steps[name] ?? Number.POSITIVE_INFINITY;
      return seconds > Math.max(budget * tolerance, budget + toleranceSeconds);
    })
    .map(({ name, seconds, files = [] }) => {
      const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
      const listed = slowest.map((file) => `${file.file} ${file.seconds.toFixed(0)} s`).join(', ');
      const budget = `${seconds.toFixed(0)} s, budget ${steps[name]} s`;
      return `${name}: ${budget}${listed && `; slowest: ${listed}`}`;
    });
}

/**
 * Replaces the times of the steps and files that ran. If several steps ran a file, the time in the first step counts.
 * `service` comes before the others.
 */
export function writeTimeBudget(results) {
  const { steps, files } = readTimeBudget();
  const measured = new Set();
  for (const { name, seconds, files: ran = [] } of results) {
    // The contents of these steps depend on the change, so their times are not comparable.
    if (!name.startsWith('affected-')) steps[name] = Math.ceil(seconds);
    for (const { file, seconds } of ran) {
      if (measured.has(file)) continue;
      measured.add(file);
      delete files[file];
      if (seconds >= listedSeconds) files[file] = Math.round(seconds);
    }
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(budgetFile, `${JSON.stringify({ steps, files: sorted }, null, 2)}\n`);
}
