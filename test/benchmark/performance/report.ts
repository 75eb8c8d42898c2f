import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { BenchmarkOptions, Figure } from './measure.ts';

const ratiosFile = new URL('ratios.json', import.meta.url);
const page = new URL('../../../docs/performance.md', import.meta.url);

/** The check allows a ratio to increase by this share. */
const tolerance = 0.25;

/** Writes the ratios of processor time to the file that `readRatios` reads. */
export async function writeRatios(figures: readonly Figure[]): Promise<void> {
  const ratios = cpuFigures(figures).map(({ name, ratio }) => [name, Number(ratio.toFixed(2))]);
  await writeFile(ratiosFile, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
}

export async function readRatios(): Promise<Readonly<Record<string, number>>> {
  return JSON.parse(await readFile(ratiosFile, 'utf8'));
}

/** Returns a message for each ratio of processor time that has no committed value or is more than 25 % above it. */
export function findRegressions(
  figures: readonly Figure[],
  committed: Readonly<Record<string, number>>,
): string[] {
  return cpuFigures(figures).flatMap(({ name, ratio }) => {
    const limit = (committed[name] ?? 0) * (1 + tolerance);
    return ratio <= limit
      ? []
      : [`${name}: ${ratio.toFixed(2)} times the floor, but at most ${limit.toFixed(2)} expected`];
  });
}

function cpuFigures(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ name }) => name.includes('processor time'));
}

/** Writes docs/performance.md. */
export async function writePage(
  figures: readonly Figure[],
  options: BenchmarkOptions,
): Promise<void> {
  const number = (value: number) => Number(value.toPrecision(3)).toString();
  const rows = figures.map(
    ({ name, unit, floor, service, ratio }) =>
      `| ${name} | ${number(floor)} ${unit} | ${number(service)} ${unit} | ${number(ratio)} |`,
  );
  const [processor] = cpus();
  const machine = `${availableParallelism()} cores (${processor?.model.trim()}), Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
  await writeFile(
    page,
    `# Performance

How much processor time, memory and time the service needs, compared with the least code that does the same work: a
floor of 170 lines with Node's HTTP server and one table in Postgres, without tenants, keys, limits, citations,
confidence and recovery. The difference is the price of those.

\`npm run benchmark -- --write\` measures both and writes this page. Both use the same Postgres and the same stand-in for
a model server, and work in turn. A figure is the median of ${options.rounds} rounds (three for start and memory, one for
ingestion), a ratio the median of the ratios of the rounds. Processor time is that of the process and of those it starts,
without Postgres.

| Figure | Floor | Service | Service / floor |
|---|---|---|---|
${rows.join('\n')}

${options.documents} documents of 8 kB. Machine: ${machine}. Times and rates depend on the
machine, and on what else it does; ratios of processor time depend on them less.

\`npm run benchmark -- --check\` measures the processor time of a search, a chat and a token in about two minutes, and fails
if a ratio to the floor is more than ${tolerance * 100} % above the one in \`test/benchmark/performance/ratios.json\`.
`,
  );
}
