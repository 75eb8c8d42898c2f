import type { Hit } from './hybrid-search.ts';
import { endOf, isWithin, type Period, periodsIn, seriesOf } from './periods.ts';

/** What the score of a document of another period is multiplied by. */
const otherPeriod = 0.8;

/** Without a period of its own: "last year" is one, and "last" alone is also the end of a list. */
const asksLatest =
  /\b(?:latest|newest|most recent|most up[- ]to[- ]date|current|neueste[nrs]?|aktuelle[nrs]?|(?:mas|más) recientes?|ultim[oa]s?|últim[oa]s?|derni(?:er|ère)e?s?|(?:plus )?récente?s?|последн\p{L}+)\b|最新|最近|最近的/iu;

/**
 * Of a series of documents that differ by a period in their names, such as `2023 Q1 report.pdf` and `2023 Q2
 * report.pdf`, those of the period that the query names stay where they are, or the newest where it asks for the
 * latest, and the others fall behind. All else keeps its score. Says how much each hit counts.
 */
export function periodWeights(query: string, hits: readonly Hit[]): (hit: Hit) => number {
  const asked = periodsIn(query);
  if (asked.length === 0 && !asksLatest.test(query)) return () => 1;
  const seriesByName = new Map<string, Map<string, Period>>();
  for (const name of new Set(hits.map(({ documentName }) => documentName))) {
    const { series, period } = seriesOf(name);
    if (period === null) continue;
    const members = seriesByName.get(series) ?? new Map<string, Period>();
    seriesByName.set(series, members.set(name, period));
  }
  const fallsBehind = new Set<string>();
  for (const members of seriesByName.values()) {
    const newest = Math.max(...[...members.values()].map(endOf));
    const isWanted = (period: Period) =>
      asked.length === 0 ? endOf(period) === newest : asked.some((one) => isWithin(one, period));
    const others = [...members].filter(([, period]) => !isWanted(period));
    if (others.length < members.size) for (const [name] of others) fallsBehind.add(name);
  }
  return ({ documentName }) => (fallsBehind.has(documentName) ? otherPeriod : 1);
}
