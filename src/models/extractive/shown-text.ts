import { joinItems } from '../../text/list-items.ts';
import { wordCount } from '../../text/readable-text.ts';
import { rowText, selectCells, selectColumns, type TableRow } from '../../text/row-text.ts';
import { areAllKnown, contentTerms } from '../../text/terms.ts';
import { asksForList, asksForOneFact, asksForSteps, lacksCertainFact } from './answer-type.ts';
import type { ListItem } from './candidate-texts.ts';
import { selectPairs } from './form-penalty.ts';
import type { RankedCandidate } from './rank-candidates.ts';

/**
 * Returns the text to show for a candidate. For an item of a list, this is the whole list. If the question contains
 * words of only some items, it is these items.
 */
export function shownText(
  question: string,
  { text, kind, list, row, topic }: RankedCandidate,
  written: string,
): string {
  if (kind === 'row') return textOfRow(written, text, row);
  if (list === null) return text;
  const { whole, isOrdered, lead, items } = list.list;
  if (whole !== null && isOrdered && asksForSteps(question)) return whole;
  if (whole !== null && isNamed(question, lead)) return whole;
  const asked = matchingItems(question, list, topic);
  if (asked.length > 0) return joinItems(lead, fitting(asked, items[list.index]));
  const isCutOff = isOrdered && lead === '';
  const isListAsked =
    asksForList(question) || asksForSteps(question) || isOrdered || isAbout(question, lead);
  return whole === null || isCutOff || asksForOneFact(question) || !isListAsked ? text : whole;
}

/** Whether the introduction of a list contains at least half of the question's words. */
function isAbout(question: string, lead: string): boolean {
  const known = new Set(contentTerms(lead));
  const terms = contentTerms(question);
  return terms.length > 0 && 2 * terms.filter((term) => known.has(term)).length >= terms.length;
}

/** Whether the question asks for several things and contains the name of the list, such as "Responsibilities:". */
function isNamed(question: string, lead: string): boolean {
  const asked = new Set(contentTerms(question));
  return asksForList(question) && areAllKnown(contentTerms(lead), asked);
}

const maxRowWords = 45;

/**
 * Returns the columns that the question names. If the row is long and the question names no column, returns the cells
 * that contain words of the question.
 */
function textOfRow(question: string, text: string, row: TableRow | null): string {
  if (row === null) return selectPairs(text, question);
  const selected = selectColumns(row, question);
  const isLong = selected === row && wordCount(text) > maxRowWords;
  const short = isLong ? rowText(selectCells(row, question)) : rowText(selected);
  return isLong && lacksCertainFact(question, short) ? rowText(row) : short;
}

const maxItemWords = 50;

function fitting(items: readonly string[], best: string | undefined): readonly string[] {
  const isShort = wordCount(items.join(' ')) <= maxItemWords;
  return isShort || best === undefined ? items : [best];
}

/**
 * Returns the items that contain at least as many words of the question as the item `index`. Empty if that item contains
 * none. Words that are above the list, or in at least half of its items, do not count.
 */
function matchingItems(
  question: string,
  { list, index }: ListItem,
  topic: readonly string[],
): readonly string[] {
  const terms = list.items.map((item) => new Set(contentTerms(item)));
  const above = new Set([...contentTerms(list.lead), ...topic]);
  const isSpecific = (term: string) =>
    !above.has(term) && 2 * terms.filter((item) => item.has(term)).length < list.items.length;
  const wanted = [...new Set(contentTerms(question))].filter(isSpecific);
  const countIn = (item: number) => wanted.filter((term) => terms[item]?.has(term)).length;
  const most = countIn(index);
  return most === 0 ? [] : list.items.filter((_, item) => countIn(item) >= most);
}
