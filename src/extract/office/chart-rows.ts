import { cleanLine } from '../clean-text.ts';
import { renderRow } from '../tables/table-records.ts';
import type { BlockSink } from '../text-builder.ts';
import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';

interface Series {
  readonly name: string;
  readonly categories: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
}

/** Maximum number of series of a chart in Excel. */
const maxSeries = 255;

/**
 * Adds the values of a chart (ECMA-376 part 1, 21.2) as one row per category, such as `2026; Guests: 120; Rooms: 40`.
 */
export function addChartRows(sink: BlockSink, chartSpace: XmlElement): void {
  const plots = childElements(findElement(chartSpace, 'chart', 'plotArea'));
  const series = plots
    .flatMap((plot) => childElements(plot, 'ser'))
    .slice(0, maxSeries)
    .map(readSeries);
  const categories = new Map<string, string>();
  for (const { categories: own, values } of series) {
    for (const index of values.keys()) {
      if (!categories.has(index)) categories.set(index, own.get(index) ?? '');
    }
  }
  const names = ['', ...series.map(({ name }) => name)];
  for (const [index, category] of categories) {
    const row = [category, ...series.map(({ values }) => values.get(index) ?? '')];
    sink.add('table-row', renderRow(row, names));
  }
}

function readSeries(series: XmlElement): Series {
  const points = (name: string) => pointsOf(findElement(series, name));
  return {
    name: [...points('tx').values()].join(' '),
    categories: new Map([...points('cat'), ...points('xVal')]),
    values: new Map([...points('val'), ...points('yVal')]),
  };
}

/**
 * Returns the stored values of a reference by index. If the categories have several levels, returns the values of the
 * innermost level.
 */
function pointsOf(element: XmlElement | undefined): Map<string, string> {
  const points = new Map<string, string>();
  for (const reference of childElements(element)) {
    for (const cache of [reference, ...childElements(reference)]) {
      for (const point of childElements(findElement(cache, 'lvl') ?? cache, 'pt')) {
        const text = cleanLine(textOf(findElement(point, 'v') ?? point));
        if (text !== '') points.set(point.attributes.idx ?? '', text);
      }
    }
  }
  return points;
}
