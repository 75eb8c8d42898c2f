/**
 * Compares the production build with a floor: the least code that does the same work (performance/floor-server.mjs).
 * Both use the same Postgres and the same stand-in for a model server.
 *
 *   npm run benchmark [-- --rounds 7] [--documents 300] [--write]
 *   npm run benchmark -- --check
 *
 * Uses the server at TEST_DATABASE_URL, or else a private one. Linux only. Times and rates depend on the machine and its other load. The ratio of both systems depends on them much
 * less, because the systems work in turn. `--write` writes docs/reference/performance.md. `--check` takes one to three minutes,
 * measures only processor time, and fails if a ratio is more than 25 % above the one in performance/ratios.json.
 * `--check --write` writes that file.
 */
import { startServerIfUnset } from './database-server.ts';
import { readFlags } from './flags.ts';
import type { Figure } from './performance/figures.ts';
import { measure } from './performance/measure.ts';
import {
  findRegressions,
  readRatios,
  shorten,
  writePage,
  writeRatios,
} from './performance/report.ts';
import { prepareSystems } from './performance/systems.ts';

const flags = readFlags({ rounds: 7, documents: 300, write: false, check: false });
const options = {
  rounds: flags.rounds,
  documents: flags.check ? 100 : flags.documents,
  isShort: flags.check,
};
startServerIfUnset();
const systems = await prepareSystems();
try {
  let figures = await measureAndPrint();
  if (flags.write) await (flags.check ? writeRatios(figures) : writePage(figures, options));
  else if (flags.check) {
    const known = await readRatios();
    // Repeats a measurement with regressions up to two times. Other work on the machine can disturb one measurement,
    // but hardly three.
    for (let repeats = 0; repeats < 2 && findRegressions(figures, known).length > 0; repeats += 1) {
      figures = await measureAndPrint();
    }
    const regressions = findRegressions(figures, known);
    for (const line of regressions) console.error(line);
    if (regressions.length > 0) process.exitCode = 1;
  }
} finally {
  await systems.stop();
}

async function measureAndPrint(): Promise<Figure[]> {
  const figures = await measure(systems, options);
  console.table(
    Object.fromEntries(
      figures.map(({ name, unit, floor, service, ratio }) => [
        name,
        {
          unit,
          floor: cell(floor),
          service: cell(service),
          ratio: cell(ratio),
        },
      ]),
    ),
  );
  return figures;
}

/** `console.table` prints texts in quotes, and numbers without. */
function cell(value: number | null): number | string {
  return value === null ? shorten(value) : Number(shorten(value));
}
