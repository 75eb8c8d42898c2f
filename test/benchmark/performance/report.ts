import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { statementCounts } from '../../support/database/statement-counts.ts';
import { subcommands } from '../subcommands.ts';
import type { Figure } from './figures.ts';
import { type GrowthFigures, readGrowth } from './growth-figures.ts';
import { growthSection } from './growth-section.ts';
import type { BenchmarkOptions } from './pair.ts';

const ratiosFile = new URL('ratios.json', import.meta.url);
const page = new URL('../../../docs/reference/performance.md', import.meta.url);

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

function cpuFigures(figures: readonly Figure[]) {
  return figures.flatMap(({ name, ratio }) =>
    ratio !== null && name.includes('processor time') ? [{ name, ratio }] : [],
  );
}

/** Formats a value with three digits. Returns '–' if there is no value. */
export function shorten(value: number | null): string {
  return value === null ? '–' : Number(value.toPrecision(3)).toString();
}

/** Writes docs/reference/performance.md. Keeps its section about the size of a project. */
export async function writePage(
  figures: readonly Figure[],
  { rounds, documents }: BenchmarkOptions,
): Promise<void> {
  const rows = figures.map(tableRow).join('\n');
  const growth = growthSection(await readGrowth());
  await writeFile(page, pageText({ rows, rounds, documents, machine: machineText(), growth }));
}

/** Writes the section about the size of a project on docs/reference/performance.md. Keeps everything else. */
export async function writeGrowthSection(figures: GrowthFigures): Promise<void> {
  const values = readPageValues(await readFile(page, 'utf8'));
  await writeFile(page, pageText({ ...values, growth: growthSection(figures) }));
}

/** Describes the machine and its load. */
export function machineText(): string {
  const [processor] = cpus();
  return `${availableParallelism()} cores (${processor?.model.trim()}), Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
}

export interface PageValues {
  /** Rows of the table. */
  readonly rows: string;
  readonly rounds: number;
  readonly documents: number;
  readonly machine: string;
}

/** Returns the values that a page contains. */
export function readPageValues(text: string): PageValues {
  const value = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    rows: value(/^\|---\|---\|---\|---\|\n(.*?)\n\n/ms),
    rounds: Number(value(/median of (\d+)\s/)),
    documents: Number(value(/^(\d+) documents of 8 kB/m)),
    machine: value(/^\d+ documents of 8 kB\. Machine: (.*)\. Times/m),
  };
}

/** Returns the row of a figure in the table of the page. */
export function tableRow({ name, unit, floor, service, ratio }: Figure): string {
  const withUnit = (value: number | null) =>
    value === null ? shorten(value) : `${shorten(value)} ${unit}`;
  return `| ${name} | ${withUnit(floor)} | ${withUnit(service)} | ${shorten(ratio)} |`;
}

/** Returns the text of docs/reference/performance.md. `growth` is the section about the size of a project. */
export function pageText(values: PageValues & { readonly growth: string }): string {
  const statementRows = Object.values(statementCounts).map(
    ({ name, statements, inOwnTransaction }) => `| ${name} | ${statements} | ${inOwnTransaction} |`,
  );
  const others = Object.entries(subcommands).filter(([name]) => name !== 'performance');
  return `# Performance

How much processor time, memory and time the service needs, compared with the least code that does the same work: a
floor of 140 lines with Node's HTTP server and one table in Postgres, without tenants, keys, limits, citations,
confidence and recovery. The difference is the price of those.

Both use the same Postgres and the same stand-in for a model server, and work in turn. A figure is the median of ${values.rounds}
rounds (at most three for starts, memory and many chats at once, one for ingestion), a ratio the median of the ratios of
the rounds. Processor time is that of the process and of those it starts, without Postgres.

| Figure | Floor | Service | Service / floor |
|---|---|---|---|
${values.rows}

${values.documents} documents of 8 kB. Machine: ${values.machine}. Times and rates depend on the
machine, and on what else it does; ratios of processor time depend on them less.

Terms in the table:

- **No index in memory**: \`SEARCH_INDEX_MEMORY_MB=0\`, so Postgres ranks each search.
- **500 chats at once**: each answer has 60 parts, and the model sends one every 100 ms. The service has
  \`STARTING_ANSWER_WAIT_SECONDS=120\`, so that it refuses none. The memory is the highest since the start of the process.
- **Embedded database and built-in models**: what \`npm start\` runs without settings. The floor has neither.

${values.growth}
## Where the time goes

A profile of 1,000 chats that start at once, each with a new question and eight sources. Milliseconds of the process per
chat, with the profiler, which adds about a third:

| Part | ms |
|---|---|
| Search: ranking of terms and vectors in memory, near-duplicates, evidence in sentences | 2.5 |
| Confidence: the sentences of eight chunks compared with the question | 1.9 |
| Question: small talk, language, spelling, words of the chunks | 1.1 |
| Postgres: four statements sent and their rows read | 2.4 |
| Model server: two requests and their responses | 1.7 |
| HTTP, GraphQL and events for the client | 2.1 |
| Answer: output filter, citations, support in the sources | 0.8 |
| Garbage collection | 1.2 |
| Node: streams, timers and promises of the parts above | 3.8 |

Of a document of 8 kB (16 chunks), the index of terms takes 5 ms of Postgres, rows and vectors 2 ms, and the HNSW index,
if the project has 10,000 chunks or more, 24 ms.

## Statements per request

SQL statements of the most frequent requests, with the key of a project unless the row says otherwise. The project has
32 to 255 chunks. [A test](../../test/contract/statement-counts.test.ts) counts the statements of a running service, and
fails if a number differs.

| Request or job | Statements | In a transaction of their own |
|---|---|---|
${statementRows.join('\n')}

Each statement is one round trip, because the tenant is sent with it
([\`tenant-client.ts\`](../../src/platform/tenancy/tenant-client.ts)). Statements that are not in a transaction of their
own form one explicit transaction, and include its BEGIN and COMMIT.

Differences:

- Simultaneous requests of a key share the statement that reads it, and simultaneous chats of a project those that start
  and finish them.
- In a project with more chunks, the process caches the statistics of terms. A search whose index is not loaded then
  mostly needs one statement less.
- In a project with fewer chunks, each chat needs one more, which reads a sample to detect the language.
- A chat with a language model needs one more if one of the first four passages may be a part of a section. It reads the
  neighbors of these passages.
- While other documents of the project wait, an ingestion mostly needs one less, which looks for a missing vector index.

Not counted:

- the queue: fetching a job and completing it
- the load of an index into memory, in the background
- per key, at most once a minute: the time of its last use
- per process, at most once in 5 seconds: the active embedding model
- per project, at most once a second: the embedding tokens of searches and ingestion
- per process, twice a second while answers run: their text, leases and stop requests, in one statement

## Repeat it

On Linux, in a clone of the repository, without any settings:

\`\`\`sh no-test: measures for minutes
npm run benchmark
\`\`\`

It installs and builds what is missing, and prints the table. Without \`TEST_DATABASE_URL\`, it starts a Postgres of its own
(on Debian it installs Postgres, as root or with sudo), and stops it in the end. Flags follow after \`--\`:

| Command | Does |
|---|---|
| \`npm run benchmark -- --rounds 1 --documents 50\` | measures for a shorter time |
| \`npm run benchmark -- --write\` | also writes this page |
| \`npm run benchmark -- --check\` | measures the processor time of a search, a chat and a token in about two minutes, and fails if a ratio to the floor is more than ${tolerance * 100} % above the one in \`test/benchmark/performance/ratios.json\` |
| \`npm run benchmark help\` | lists the other benchmarks |

Other benchmarks. Flags are at the beginning of each file:

| Command | Measures |
|---|---|
${others
  .map(
    ([name, what]) =>
      `| [\`npm run benchmark ${name}\`](../../test/benchmark/${name}.ts) | ${what} |`,
  )
  .join('\n')}
`;
}
