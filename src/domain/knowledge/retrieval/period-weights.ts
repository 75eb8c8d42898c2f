import {
  extractPeriods,
  type Period,
  parseSeries,
  periodSortKey,
  periodsOverlap,
} from '../../../text/periods.ts';
import type { Hit } from './hybrid-search.ts';

/**
 * The score of a document is multiplied by this factor if the document covers a different period from the one in the
 * query.
 */
const otherPeriodWeight = 0.8;

/**
 * Matches words that ask for the latest document. Does not match "last year", which names a period, or "last", which
 * can also mean the end of a list.
 */
const latestPattern =
  /\b(?:latest|newest|most recent|most up[- ]to[- ]date|current|neueste[nrs]?|aktuelle[nrs]?|(?:mas|más) recientes?|ultim[oa]s?|últim[oa]s?|derni(?:er|ère)e?s?|(?:plus )?récente?s?|последн\p{L}+)\b|最新|最近|最近的/iu;

/**
 * Returns a function that returns the score factor of a hit.
 *
 * Documents form a series if their names differ only by a period, such as `2023 Q1 report.pdf` and `2023 Q2
 * report.pdf`. In a series, documents outside the query's period have the factor `otherPeriodWeight`. If the query asks
 * for the latest document, all documents of the series except the newest have this factor. All other hits have the
 * factor 1. A series in which no document matches also has the factor 1.
 */
export function periodWeights(query: string, hits: readonly Hit[]): (hit: Hit) => number {
  const queryPeriods = extractPeriods(query);
  if (queryPeriods.length === 0 && !latestPattern.test(query)) return () => 1;
  const seriesByName = new Map<string, Map<string, Period>>();
  for (const name of new Set(hits.map(({ documentName }) => documentName))) {
    const { series, period } = parseSeries(name);
    if (period === null) continue;
    const members = seriesByName.get(series) ?? new Map<string, Period>();
    seriesByName.set(series, members.set(name, period));
  }
  const demotedNames = new Set<string>();
  for (const members of seriesByName.values()) {
    const newest = Math.max(...[...members.values()].map(periodSortKey));
    const isWanted = (period: Period) =>
      queryPeriods.length === 0
        ? periodSortKey(period) === newest
        : queryPeriods.some((one) => isCovered(one, period));
    const others = [...members].filter(([, period]) => !isWanted(period));
    if (others.length < members.size) for (const [name] of others) demotedNames.add(name);
  }
  return ({ documentName }) => (demotedNames.has(documentName) ? otherPeriodWeight : 1);
}

/**
 * Returns whether a document's period covers the period of a query. Fiscal quarters differ from calendar quarters,
 * because a fiscal year may start up to a year earlier or later: "the quarter ended June 25, 2022" may be the third
 * quarter of 2022 or 2023.
 */
function isCovered(asked: Period, document: Period): boolean {
  if (asked.day === undefined || document.quarter === undefined) {
    return periodsOverlap(asked, document);
  }
  return Math.abs(asked.year - document.year) <= 1;
}
