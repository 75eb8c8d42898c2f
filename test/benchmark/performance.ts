/**
 * Compares the production build with a floor: the least code that does the same work (performance/floor-server.mjs).
 * Both use the same Postgres and the same stand-in for a model server.
 *
 *   TEST_DATABASE_URL=postgresql://… npm run benchmark [-- --rounds 7] [--documents 300] [--write]
 *   TEST_DATABASE_URL=postgresql://… npm run benchmark -- --check
 *
 * Linux only. Times and rates depend on the machine and its other load. The ratio of both systems depends on them much
 * less, because the systems work in turn. `--write` writes docs/performance.md. `--check` takes one to three minutes,
 * measures only processor time, and fails if a ratio is more than 25 % above the one in performance/ratios.json.
 * `--check --write` writes that file.
 */
import { parseArgs } from 'node:util';
import { serverUrl } from '../support/database.ts';
import { type Figure, measure } from './performance/measure.ts';
import { findRegressions, readRatios, writePage, writeRatios } from './performance/report.ts';
import { prepareSystems } from './performance/systems.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    documents: { type: 'string', default: '300' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
if (serverUrl() === undefined) throw new Error('TEST_DATABASE_URL: which Postgres server?');

const options = {
  rounds: Number(flags.rounds),
  documents: flags.check ? 100 : Number(flags.documents),
  isShort: flags.check,
};
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
          floor: Number(floor.toPrecision(3)),
          service: Number(service.toPrecision(3)),
          ratio: Number(ratio.toPrecision(3)),
        },
      ]),
    ),
  );
  return figures;
}
