import { rowColumnBonus } from '../../../models/extractive/row-name-bonus.ts';
import { parseColumnTitles, readTitledRow } from '../../../text/table-rows.ts';
import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';

/** Maximum number of chunks that are added. */
const maxChunks = 2;

/**
 * Returns the hits that contain a table row if the question mentions both the name and a column of the row. Example:
 * "What kind of backend is citus?" and the row "citus" of a table with the column "Kind". Without this, such a chunk
 * may be missing: a long table has many other words, so its chunk ranks low.
 */
export function hitsWithNamedRow(question: string, hits: readonly Hit[]): Hit[] {
  const bonusOf = rowColumnBonus(question);
  const isNamed = ({ content, context }: Hit) => {
    const titles = parseColumnTitles(context);
    if (titles.length === 0) return false;
    return content
      .split('\n')
      .some((line) => line.includes(' | ') && bonusOf(readTitledRow(line, titles)) > 0);
  };
  return hits.filter(isNamed).slice(0, maxChunks);
}
