import { writeFile } from 'node:fs/promises';
import { clientCounts, type GrowthFigures, type Place, places } from './growth-figures.ts';
import { thousands } from './growth-section.ts';
import { logScale, type Scale, spreadLabels, ticksBetween } from './log-scale.ts';

const chart = new URL('../../../docs/reference/search-by-size.svg', import.meta.url);

export async function writeGrowthChart(figures: GrowthFigures): Promise<void> {
  await writeFile(chart, growthChart(figures));
}

const size = { width: 760, height: 480 };
/** Edges of the plot in pixels. Labels of the lines are right of it. */
export const plot = { left: 72, right: 564, top: 76, bottom: 412 };
const labelGap = 17;
/** Dark enough for text on white, and different for readers with color blindness (Okabe and Ito 2008). */
const colors: Readonly<Record<number, string>> = { 1: '#0072b2', 16: '#b34d00', 64: '#007a5a' };
const placeNames: Readonly<Record<Place, string>> = { memory: 'in memory', database: 'database' };
const title = 'Time of a search by size of the project';

/**
 * Returns an SVG with the median time of a search by number of chunks, one line for each number of clients and place.
 * It has its own background, because GitHub shows it on white and on black.
 */
export function growthChart(figures: GrowthFigures): string {
  const lines = seriesOf(figures);
  const values = lines.flatMap(({ points }) => points.map(({ ms }) => ms));
  const sizes = [...new Set(figures.runs.map(({ chunks }) => chunks))].sort((a, b) => a - b);
  const ticks = ticksBetween(Math.min(...values), Math.max(...values));
  const { x, y } = scalesOf(sizes, ticks);
  const ends = lines.map(({ points }) => y(points.at(-1)?.ms ?? 1));
  const labels = spreadLabels(ends, labelGap, { from: plot.top, to: plot.bottom });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="13">
<title id="title">${escapeText(title)}</title>
<desc id="desc">${escapeText(description(figures, lines))}</desc>
<rect x="0.5" y="0.5" width="${size.width - 1}" height="${size.height - 1}" rx="6" fill="#ffffff" stroke="#d0d7de"/>
<text x="20" y="32" font-size="17" font-weight="600" fill="#1f2328">${escapeText(title)}</text>
${axes(sizes, ticks, { x, y })}
${lines.map((line, index) => lineOf(line, { x, y }, labels[index] ?? 0)).join('\n')}
</svg>
`;
}

/** Returns the scales of the chart, in pixels. */
export function scalesOf(
  sizes: readonly number[],
  ticks: readonly number[],
): { readonly x: Scale; readonly y: Scale } {
  return {
    x: logScale([sizes[0] ?? 1, sizes.at(-1) ?? 1], [plot.left + 16, plot.right - 10]),
    y: logScale([ticks[0] ?? 1, ticks.at(-1) ?? 1], [plot.bottom, plot.top]),
  };
}

interface Series {
  readonly label: string;
  readonly color: string;
  readonly isDashed: boolean;
  readonly points: readonly { readonly chunks: number; readonly ms: number }[];
}

/** Returns the lines of the chart. A point is missing if all searches failed. */
function seriesOf({ runs }: GrowthFigures): Series[] {
  return places.flatMap((place) =>
    clientCounts.map((clients) => ({
      label: `${clients} ${clients === 1 ? 'client' : 'clients'}, ${placeNames[place]}`,
      color: colors[clients] ?? '#1f2328',
      isDashed: place === 'database',
      points: runs
        .filter((run) => run.place === place)
        .flatMap(({ chunks, searches }) => {
          const ms = searches.find((searched) => searched.clients === clients)?.p50Ms ?? null;
          return ms === null ? [] : [{ chunks, ms }];
        }),
    })),
  );
}

function lineOf(
  { label, color, isDashed, points }: Series,
  { x, y }: { readonly x: Scale; readonly y: Scale },
  labelY: number,
): string {
  const places = points.map(({ chunks, ms }) => [pixels(x(chunks)), pixels(y(ms))] as const);
  const [endX, endY] = places.at(-1) ?? [plot.right, pixels(labelY)];
  const path = places.map(([left, top]) => `${left},${top}`).join(' ');
  const dots = places.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="3.5"/>`).join('');
  const dash = isDashed ? ' stroke-dasharray="6 4"' : '';
  const textX = plot.right + 22;
  return `<g fill="${color}" stroke="none">
<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"${dash}/>
${dots}
<line x1="${Number(endX) + 6}" y1="${endY}" x2="${textX - 4}" y2="${pixels(labelY)}" stroke="${color}" stroke-opacity="0.45"/>
<text x="${textX}" y="${pixels(labelY)}" dominant-baseline="central">${escapeText(label)}</text>
</g>`;
}

function axes(
  sizes: readonly number[],
  ticks: readonly number[],
  { x, y }: { readonly x: Scale; readonly y: Scale },
): string {
  const rows = ticks.map((ms) => {
    const top = pixels(y(ms));
    return `<line x1="${plot.left}" y1="${top}" x2="${plot.right}" y2="${top}" stroke="#e4e8ec"/><text x="${plot.left - 8}" y="${top}" text-anchor="end" dominant-baseline="central">${thousands(ms)}</text>`;
  });
  const columns = sizes.map((chunks) => {
    const left = pixels(x(chunks));
    return `<line x1="${left}" y1="${plot.bottom}" x2="${left}" y2="${plot.bottom + 5}" stroke="#59636e"/><text x="${left}" y="${plot.bottom + 21}" text-anchor="middle">${thousands(chunks)}</text>`;
  });
  const middle = (plot.left + plot.right) / 2;
  return `<g fill="#59636e">
${rows.join('\n')}
<line x1="${plot.left}" y1="${plot.bottom}" x2="${plot.right}" y2="${plot.bottom}" stroke="#59636e"/>
${columns.join('\n')}
<text x="${plot.left - 52}" y="${plot.top - 18}">median in ms (logarithmic)</text>
<text x="${middle}" y="${plot.bottom + 48}" text-anchor="middle">chunks in the project (logarithmic)</text>
</g>`;
}

function description({ dimensions, machine }: GrowthFigures, lines: readonly Series[]): string {
  const texts = lines.map(({ label, points }) => {
    const values = points.map(
      ({ chunks, ms }) => `${thousands(ms)} ms with ${thousands(chunks)} chunks`,
    );
    return `${label}: ${values.join(', ')}`;
  });
  return `Median time of a search in a project of chunks with ${dimensions} dimensions. ${texts.join('. ')}. Machine: ${machine}.`;
}

function pixels(value: number): string {
  return value.toFixed(1);
}

/** Escapes a text for the content of an element. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
