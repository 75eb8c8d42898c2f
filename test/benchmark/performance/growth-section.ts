import {
  clientCounts,
  defaultMemoryMb,
  type GrowthFigures,
  type GrowthRun,
  type SearchFigures,
} from './growth-figures.ts';

/** Returns the section of docs/reference/performance.md about the size of a project. */
export function growthSection(figures: GrowthFigures): string {
  return `## Search by size of the project

![Median time of a search by the number of chunks in the project](search-by-size.svg)

Searches in one project of generated chunks (${figures.dimensions} dimensions, 110 words) by ${list(clientCounts)} clients at a
time for ${figures.seconds} s each, with the project's index in memory and with \`SEARCH_INDEX_MEMORY_MB=0\`. ${memorySentence(figures.runs)}

| Chunks | Ranked in | Median by ${list(clientCounts)} clients | 95th percentile | Searches per second | Processor time per search by ${busy} clients: service, Postgres | Memory of the process | Index |
|---|---|---|---|---|---|---|---|
${figures.runs.map(row).join('\n')}

Machine: ${figures.machine}, which also runs the clients and Postgres. Repeat it with \`npm run benchmark search-by-size\`.
`;
}

/** Number of clients whose processor time is in the table. */
const busy = 16;

function row({ chunks, place, searches, residentMb, indexMb, loadSeconds }: GrowthRun): string {
  const each = (text: (searches: SearchFigures) => string) => searches.map(text).join(', ');
  const measured = searches.find(({ clients }) => clients === busy);
  const cpu = [measured?.serviceCpuMs, measured?.postgresCpuMs].map(shorten).join(', ');
  const failed = searches.some(({ failedShare }) => failedShare > 0)
    ? ` (failed: ${each(({ failedShare }) => `${shorten(100 * failedShare)} %`)})`
    : '';
  const index =
    indexMb === null ? '–' : `${shorten(indexMb)} MB, loaded in ${shorten(loadSeconds)} s`;
  const cells = [
    ...[thousands(chunks), place],
    `${each(({ p50Ms }) => shorten(p50Ms))} ms`,
    `${each(({ p95Ms }) => shorten(p95Ms))} ms`,
    each(({ perSecond }) => shorten(perSecond)) + failed,
    ...[`${cpu} ms`, `${shorten(residentMb)} MB`, index],
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Says which runs needed more memory than the default. */
function memorySentence(runs: readonly GrowthRun[]): string {
  const larger = runs.filter(({ memoryMb }) => memoryMb > defaultMemoryMb);
  if (larger.length === 0) return `The default of ${defaultMemoryMb} MB has room for every index.`;
  const settings = larger.map(
    ({ memoryMb, chunks }) => `${thousands(memoryMb)} for ${thousands(chunks)} chunks`,
  );
  return `The default of ${defaultMemoryMb} MB has no room for the largest: the setting was ${settings.join(', and ')}.`;
}

/** Formats a number with commas between thousands. */
export function thousands(value: number): string {
  return value.toLocaleString('en-US');
}

function shorten(value: number | null | undefined): string {
  return value == null ? '–' : thousands(Number(value.toPrecision(3)));
}

function list(values: readonly number[]): string {
  return `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`;
}
