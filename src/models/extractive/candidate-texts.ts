import { findDays } from '../../text/days.ts';
import { type ListText, markerOf, readList } from '../../text/list-items.ts';
import {
  endsSentence,
  prependPreviousSentence,
  toPlainTextLine,
  wordCount,
} from '../../text/readable-text.ts';
import type { TableRow } from '../../text/row-text.ts';
import { type ColumnTitles, separateTitleRows } from '../../text/table-rows.ts';
import { isLimitation, withoutLeadingConnective } from './leading-connective.ts';
import { rowTexts } from './row-candidates.ts';
import type { SentenceGroup } from './sentence-groups.ts';
import { isLinkList, isUnhelpful } from './unhelpful-text.ts';

export interface CandidateText {
  /** The readable text, on one line. */
  readonly text: string;
  readonly kind: 'sentence' | 'list' | 'steps' | 'row';
  /** The sentence before the text in the same paragraph, or an empty string. */
  readonly before: string;
  /** Whether the text limits the sentence before it, such as "However, …". */
  readonly isLimitation: boolean;
  /** False if the text cannot answer any question. Such a text is used only if there is no other. */
  readonly isUseful: boolean;
  /** If the text is one item of a list: the list and the position of the item. */
  readonly list: ListItem | null;
  /** If the text is a table row with column titles: the row. */
  readonly row: TableRow | null;
  /** Whether the source contains all rows of the table. */
  readonly isWholeTable: boolean;
}

/** Position of a text in a list. */
export interface ListItem {
  readonly list: ListText;
  readonly index: number;
}

/**
 * Returns the candidate texts of a group. Also returns the column titles that apply to the table rows after the group.
 */
export function candidateTexts(
  { kind, sentences }: SentenceGroup,
  above: {
    readonly titles: ColumnTitles;
    readonly isContinued: boolean;
    readonly heading: string;
    /** The last sentence above that is not an introduction, or an empty string. */
    readonly previous: string;
    /** Whether the source ends with this group, so that its list or table may continue. */
    readonly isCutOff: boolean;
  },
): { readonly texts: readonly CandidateText[]; readonly titles: ColumnTitles } {
  const { titles } = above;
  const lines = sentences.map(({ text }) => toPlainTextLine(text));
  switch (kind) {
    case 'sentence':
      return {
        texts: lines.map((_, index) => withRelease(sentenceText(lines, index), above.heading)),
        titles,
      };
    case 'list-item':
      return {
        texts: listTexts(withPrevious(lines, above), toPlainTextLine(above.heading)),
        titles,
      };
    case 'table-row': {
      const table = separateTitleRows(lines, titles, above.isContinued);
      const rows = rowTexts(table.rows, table.titles);
      return {
        texts: rows.map((found) => ({
          ...{ ...plain, kind: 'row', ...found },
          isWholeTable: !above.isContinued && !above.isCutOff,
        })),
        titles: table.titles,
      };
    }
    case 'heading':
      return { texts: [], titles };
  }
}

const plain = {
  ...{ before: '', isLimitation: false, isUseful: true },
  ...{ list: null, row: null, isWholeTable: false },
};

function sentenceText(lines: readonly string[], index: number): CandidateText {
  const before = lines[index - 1];
  const line = lines[index] ?? '';
  const isReasoned = before !== undefined && verdictPattern.test(before);
  const text = isReasoned
    ? `${before} ${line}`
    : withoutLeadingConnective(prependPreviousSentence(line, before));
  const isBareVerdict = verdictPattern.test(line) && lines[index + 1] !== undefined;
  return {
    ...{ ...plain, text, kind: 'sentence', before: before ?? '' },
    isLimitation: before !== undefined && isLimitation(line),
    isUseful: !isBareVerdict && !isUnhelpful(text),
  };
}

/** Matches "No." and "Yes, it is." before the sentence that gives the reason. */
const verdictPattern =
  /^(?:yes|no|ja|nein|oui|non|sí|sì)(?:,? (?:it|they|you|we|i|this|that|there|of) ?\p{L}{1,8}(?:n['’]t)?)?[.!]$/iu;

/**
 * If the first line is an introduction that refers to the sentence before it, such as "Some of these are:", adds this
 * sentence.
 */
function withPrevious(lines: readonly string[], above: { readonly previous: string }): string[] {
  const [first = '', ...rest] = lines;
  const isLead = rest.length > 0 && markerOf(first) === '';
  return isLead
    ? [prependPreviousSentence(first, above.previous || undefined), ...rest]
    : [...lines];
}

/** A list with at most this many words is one candidate and is never divided. */
const maxUndividedWords = 50;

function listTexts(lines: readonly string[], heading: string): CandidateText[] {
  const list = readList(withHeadingAsLead(lines, heading));
  if (contentsPattern.test(heading) || contentsPattern.test(list.lead)) return [];
  const kind = list.isOrdered ? 'steps' : 'list';
  const shared = { ...plain, kind, isUseful: !isLinkList(list.items) } as const;
  if (list.whole !== null && wordCount(list.whole) <= maxUndividedWords) {
    return [{ ...shared, text: list.whole }];
  }
  const lead = list.lead === '' ? '' : `${list.lead} `;
  return list.items.map((item, index) => ({ ...shared, text: lead + item, list: { list, index } }));
}

/** Matches the heading of a table of contents. */
const contentsPattern =
  /^(?:(?:table of )?contents|inhalt|inhaltsverzeichnis|índice|indice|sommaire|table des matières|sumário|содержание|оглавление|目录|目次)\s?[:：]?$/iu;

/** Prepends a heading that is a version or a day to a sentence that does not name it. */
function withRelease(sentence: CandidateText, heading: string): CandidateText {
  const title = toPlainTextLine(heading);
  if (!isRelease(title) || sentence.text.includes(title)) return sentence;
  return { ...sentence, text: `${title}: ${sentence.text}` };
}

/** Matches the headings of the changes of a release. */
const changesPattern =
  /^(?:added|new|changed|changes|fixed|fixes|bug ?fixes|removed|deprecated|security|improved|improvements|features|neu|neuerungen|geändert|änderungen|behoben|entfernt|sicherheit|verbessert|nouveautés?|ajouté|modifié|corrigé|corrections|supprimé|sécurité)$/iu;

/**
 * Returns the heading of a release that is above a heading such as "Added", from outermost to innermost headings. Returns ''
 * if another heading is between the two.
 */
export function releaseAbove(release: string, heading: string): string {
  const title = toPlainTextLine(heading);
  if (isRelease(title)) return heading;
  return changesPattern.test(title) ? release : '';
}

/** Whether a heading is a version or a day, such as "3.2.0 — 4 May 2026". Such a heading is a part of the answer. */
function isRelease(heading: string): boolean {
  const isShort = wordCount(heading) <= maxHeadingWords && /[\p{L}\p{Nd})]$/u.test(heading);
  return isShort && (releasePattern.test(heading) || findDays(heading).length > 0);
}

const releasePattern =
  /^(?:\[?v(?:ersion)? ?|release )?\d{1,4}\.\d{1,4}\.\d{1,5}(?!\d)|^\[?v(?:ersion)? ?\d|^release \d/iu;

const maxHeadingWords = 10;

/**
 * Uses the heading as the introduction of a list, if its items are words such as names, or if the heading is a version
 * or a date. Another list of sentences needs no introduction.
 */
function withHeadingAsLead(lines: readonly string[], heading: string): readonly string[] {
  if (isRelease(heading) && lines.every((line) => markerOf(line) !== '')) {
    return [`${heading}:`, ...lines];
  }
  const title = heading.replace(/^[\p{Nd}.]+\s/u, '');
  const isTitle = /[\p{L}\p{Nd})]$/u.test(title) && wordCount(title) <= maxHeadingWords;
  const areWords = lines.every((line) => markerOf(line) !== '' && !endsSentence(line));
  return isTitle && areWords && lines.length > 1 ? [`${title}:`, ...lines] : lines;
}
