import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Seconds on an idle machine with two cores: of each step of the gate, and of each test file that takes at least
 * `listedSeconds`. vitest.config.ts starts the slowest files first by it. `npm run gate -- --write-budget` measures it.
 */
const budgetFile = 'test/time-budget.json';

/** A step may take this much more than its budget without a warning. */
const tolerance = 1.25;

/** A step may take this much more, too: a share of a step of one second says nothing. */
const toleranceSeconds = 5;

/** A file that takes less is not listed. */
const listedSeconds = 3;

const slowestShown = 5;

/** @returns {{steps: Record<string, number>, files: Record<string, number>}} */
export function readTimeBudget() {
  if (!existsSync(budgetFile)) return { steps: {}, files: {} };
  return JSON.parse(readFileSync(budgetFile, 'utf8'));
}

/** Returns a warning for each step that took longer than its budget, with its slowest files. Time never fails a run. */
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

/** Replaces the times of the steps and files that ran. The first step that ran a file counts: `service` before others. */
export function writeTimeBudget(results) {
  const { steps, files } = readTimeBudget();
  const measured = new Set();
  for (const { name, seconds, files: ran = [] } of results) {
    // The steps of affected tests differ from change to change.
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
