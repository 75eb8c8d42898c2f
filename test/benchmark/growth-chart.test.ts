import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { growthChart, plot, scalesOf } from './performance/growth-chart.ts';
import {
  clientCounts,
  type GrowthFigures,
  type Place,
  readGrowth,
} from './performance/growth-figures.ts';
import { growthSection } from './performance/growth-section.ts';
import { logScale, spreadLabels, ticksBetween } from './performance/log-scale.ts';

const times: Readonly<Record<Place, number>> = { memory: 10, database: 100 };

function run(place: Place, chunks: number, factor: number) {
  const searches = clientCounts.map((clients) => ({
    ...{ clients, p50Ms: times[place] * factor * Math.sqrt(clients), p95Ms: 999, perSecond: 50 },
    ...{ serviceCpuMs: 3, postgresCpuMs: 4, failedShare: 0 },
  }));
  const memory = { memoryMb: 256, loadSeconds: 1, indexMb: 20, residentMb: 200 };
  return { chunks, place, ...memory, searches };
}

const figures: GrowthFigures = {
  machine: '2 cores <fast> & "new"',
  ...{ dimensions: 384, seconds: 5 },
  runs: (['memory', 'database'] as const).flatMap((place) => [
    run(place, 1_000, 1),
    run(place, 10_000, 2),
    run(place, 100_000, 4),
  ]),
};

describe('chart of the time of a search', () => {
  const svg = growthChart(figures);

  it.each([
    ['1 client, in memory', false, [10, 20, 40]],
    ['16 clients, in memory', false, [40, 80, 160]],
    ['64 clients, in memory', false, [80, 160, 320]],
    ['1 client, database', true, [100, 200, 400]],
    ['16 clients, database', true, [400, 800, 1_600]],
    ['64 clients, database', true, [800, 1_600, 3_200]],
  ])('has the line %j with its points', (label, isDashed, milliseconds) => {
    const group = svg.split('<g ').find((text) => text.includes(`>${label}</text>`)) ?? '';
    const { x, y } = scalesOf([1_000, 10_000, 100_000], ticksBetween(10, 3_200));
    const points = milliseconds.map(
      (ms, index) => `${x(10 ** (index + 3)).toFixed(1)},${y(ms).toFixed(1)}`,
    );
    expect(group).toContain(`points="${points.join(' ')}"`);
    expect(group.match(/<circle /g)).toHaveLength(3);
    expect(group.includes('stroke-dasharray')).toBe(isDashed);
  });

  it('has labels that do not overlap', () => {
    const tops = [...svg.matchAll(/y="([\d.]+)" dominant-baseline="central">\d+ clients?, /g)];
    const sorted = tops.map(([, top]) => Number(top)).sort((a, b) => a - b);
    expect(sorted).toHaveLength(6);
    for (const [index, top] of sorted.slice(1).entries())
      expect(top - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(16.8);
  });

  it('has a title, a description and ticks with numbers', () => {
    expect(svg).toContain('aria-labelledby="title desc"');
    expect(svg).toMatch(/<title id="title">[^<]+<\/title>/);
    expect(svg).toContain('1 client, in memory: 10 ms with 1,000 chunks, 20 ms with 10,000');
    for (const tick of ['10', '5,000', '1,000', '100,000'])
      expect(svg).toContain(`>${tick}</text>`);
  });

  it('escapes texts', () => {
    expect(svg).toContain('Machine: 2 cores &lt;fast&gt; &amp; "new".');
    expect(svg).not.toContain('<fast>');
  });

  it('leaves out a point whose searches all failed', () => {
    const [first, ...others] = figures.runs;
    if (first === undefined) throw new Error('no run');
    const searches = first.searches.map((searched) => ({ ...searched, p50Ms: null, p95Ms: null }));
    const failed = growthChart({ ...figures, runs: [{ ...first, searches }, ...others] });
    expect(failed.match(/<circle /g)).toHaveLength(15);
    expect(failed).not.toContain('NaN');
  });
});

it('the committed chart is drawn from the committed figures', async () => {
  const svg = await readFile('docs/reference/search-by-size.svg', 'utf8');
  expect(svg).toBe(growthChart(await readGrowth()));
});

describe('section of the page', () => {
  it('has a row for each run', () => {
    const section = growthSection(figures);
    expect(section).toContain('The default of 256 MB has room for every index.');
    expect(section).toContain(
      '| 10,000 | memory | 20, 80, 160 ms | 999, 999, 999 ms | 50, 50, 50 | 3, 4 ms | 200 MB | 20 MB, loaded in 1 s |\n',
    );
  });

  it('names the setting of larger projects, and failed searches', () => {
    const runs = figures.runs.map((run) => ({
      ...run,
      memoryMb: run.chunks === 100_000 && run.place === 'memory' ? 512 : run.memoryMb,
      searches: run.searches.map((searched) => ({ ...searched, failedShare: 0.25 })),
    }));
    const section = growthSection({ ...figures, runs });
    expect(section).toContain('the setting was 512 for 100,000 chunks.');
    expect(section).toContain('(failed: 25 %, 25 %, 25 %)');
  });
});

describe('scales', () => {
  it('places a value by its logarithm', () => {
    const scale = logScale([10, 1_000], [0, 200]);
    for (const [value, pixel] of [
      [10, 0],
      [100, 100],
      [1_000, 200],
    ] as const)
      expect(scale(value)).toBeCloseTo(pixel);
    expect(logScale([5, 5], [0, 200])(5)).toBe(100);
  });

  it('has ticks around all values', () => {
    expect(ticksBetween(8.4, 130)).toEqual([5, 10, 20, 50, 100, 200]);
    expect(ticksBetween(10, 10)).toEqual([10, 20]);
  });

  it('moves labels apart, and not further than necessary', () => {
    const range = { from: plot.top, to: plot.bottom };
    expect(spreadLabels([300, 200, 100], 20, range)).toEqual([300, 200, 100]);
    expect(spreadLabels([200, 210, 100], 20, range)).toEqual([195, 215, 100]);
    expect(spreadLabels([plot.top, plot.top], 20, range)).toEqual([plot.top, plot.top + 20]);
    expect(spreadLabels([plot.bottom, plot.bottom], 20, range)).toEqual([
      plot.bottom - 20,
      plot.bottom,
    ]);
  });
});
