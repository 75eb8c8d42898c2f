/**
 * Measures searches of the production build in one project that grows: with its index in memory, and with
 * `SEARCH_INDEX_MEMORY_MB=0`, by 1, 16 and 64 clients at a time.
 *
 *   npm run benchmark search-by-size -- [--sizes 5000,50000,500000] [--seconds 5] [--write]
 *
 * `--sizes` are numbers of chunks. Each number of clients searches for `--seconds`, after as long a warm-up. `--write`
 * writes performance/growth.json, and from it docs/reference/search-by-size.svg and a section of
 * docs/reference/performance.md. Uses the server at TEST_DATABASE_URL, or else a private one. Linux only.
 */
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { clusteredVectors } from './clustered-vectors.ts';
import { startServerIfUnset } from './database-server.ts';
import { readFlags } from './flags.ts';
import { generatePassages } from './generated-passages.ts';
import { writeGrowthChart } from './performance/growth-chart.ts';
import {
  type GrowthFigures,
  type GrowthRun,
  readGrowth,
  readSizes,
  writeGrowth,
} from './performance/growth-figures.ts';
import { measureSize } from './performance/measure-growth.ts';
import { machineText, writeGrowthSection } from './performance/report.ts';
import { startModelServer } from './performance/systems.ts';

const flags = readFlags({ sizes: '5000,50000,500000', seconds: 5, write: false });
const sizes = readSizes(flags.sizes);
const dimensions = 384;
/** Larger projects contain passages more than once, because generating a passage takes longer than loading it. */
const maxPassages = 100_000;

const machine = machineText();
startServerIfUnset();
const random = seededRandom(1);
const vectors = clusteredVectors(random, { dimensions, clusters: 500, intrinsic: 30 });
const passages = generatePassages(random, Math.min(maxPassages, Math.max(...sizes)));
const model = await startModelServer();
const runs: GrowthRun[] = [];
try {
  for (const chunks of sizes) {
    console.log(`${chunks} chunks`);
    const { seconds } = flags;
    runs.push(...(await measureSize(chunks, { model, vectors, passages, dimensions, seconds })));
  }
} finally {
  await model.stop();
}
console.table(runs.flatMap(tableRows));
if (flags.write) await write({ machine, dimensions, seconds: flags.seconds, runs });

function tableRows({ searches, ...run }: GrowthRun) {
  return searches.map((figures) => {
    const row = Object.entries({ ...run, ...figures });
    return Object.fromEntries(row.map(([name, value]) => [name, short(value)]));
  });
}

function short(value: number | string | null): number | string | null {
  return typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(3))
    : value;
}

async function write(figures: GrowthFigures): Promise<void> {
  await writeGrowth(figures);
  const written = await readGrowth(); // rounded
  await writeGrowthChart(written);
  await writeGrowthSection(written);
}
