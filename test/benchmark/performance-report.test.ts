import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readGrowth } from './performance/growth-figures.ts';
import { growthSection } from './performance/growth-section.ts';
import {
  findRegressions,
  pageText,
  readPageValues,
  readRatios,
  tableRow,
} from './performance/report.ts';

const search = 'Search by 1 client: processor time';
const figure = (name: string, ratio: number) => ({
  ...{ name, unit: 'ms' },
  ...{ floor: 1, service: ratio, ratio },
});

test('a ratio of processor time fails above 125 % of the committed one', () => {
  const committed = { [search]: 4 };
  expect(findRegressions([figure(search, 5)], committed)).toEqual([]);
  expect(findRegressions([figure(search, 5.01)], committed)).toEqual([
    `${search}: 5.01 times the floor, but at most 5.00 expected`,
  ]);
});

test('a figure without a committed ratio fails, and times are not checked', () => {
  expect(findRegressions([figure('Relay: processor time', 1)], {})).toHaveLength(1);
  expect(findRegressions([figure('Start until ready', 9)], {})).toEqual([]);
});

test('a ratio is committed for a search, a chat and a token', async () => {
  const names = Object.keys(await readRatios());
  expect(names).toHaveLength(3);
  for (const kind of [/^Search/, /^Chat/, /per token$/])
    expect(names.filter((name) => kind.test(name))).toHaveLength(1);
});

test('the committed page has the text of the generator', async () => {
  const text = await readFile('docs/reference/performance.md', 'utf8');
  const growth = growthSection(await readGrowth());
  const generated = pageText({ ...readPageValues(text), growth });
  expect(text).toBe(generated);
});

test('a figure without a floor has no ratio in the table', () => {
  expect(tableRow(figure('Chat', 4.5678))).toBe('| Chat | 1 ms | 4.57 ms | 4.57 |');
  expect(tableRow({ ...figure('Start', 2_200), floor: null, ratio: null })).toBe(
    '| Start | – | 2200 ms | – |',
  );
});
