import { type ListText, markerOf, readList } from '../text/list-items.ts';
import {
  endsSentence,
  prependPreviousSentence,
  tableRowsAsText,
  toPlainTextLine,
  wordCount,
} from '../text/readable-text.ts';
import { sentencesOf } from '../text/sentences.ts';
import { type ColumnTitles, parseColumnTitles, separateTitleRows } from '../text/table-rows.ts';
import { contentTerms } from '../text/terms.ts';
import type { Source } from './models.ts';
import { groupsOf, isHeading, type SentenceGroup } from './sentence-groups.ts';
import { isUnhelpful } from './unhelpful-text.ts';

/** A text from a source that can be quoted as an answer, because it is understandable without its context. */
export interface Candidate {
  /** Number of the source, from 1. */
  readonly source: number;
  /** Name of the document. */
  readonly document: string;
  /** Position among the candidates of its source, from 0. */
  readonly position: number;
  /** Readable text on one line. */
  readonly text: string;
  readonly terms: readonly string[];
  /** Terms of the heading, the context path and the document name. */
  readonly topic: readonly string[];
  /** Terms of the sentence before the candidate in the same paragraph. */
  readonly before: readonly string[];
  /** Terms of the question above the candidate, if its heading is a question. */
  readonly askedAbove: readonly string[];
  /** Number of candidates between the heading and this one. */
  readonly distance: number;
  /** Whether it is part of a numbered list. */
  readonly isSteps: boolean;
  /** False for a text that answers no question. Used only if there is no other. */
  readonly isUseful: boolean;
  /** The list that contains the candidate, if it is one item of a list. */
  readonly list: ListItem | null;
}

/** The place of a candidate in a list. */
export interface ListItem {
  readonly list: ListText;
  readonly index: number;
}

interface CandidateText {
  readonly text: string;
  readonly before?: string | undefined;
  readonly isUseful?: boolean;
  readonly isSteps?: boolean;
  readonly list: ListItem | null;
}

/**
 * Returns all candidates, source by source. A heading is not a candidate, but its terms become part of the topic of the
 * candidates below it. Texts that answer no question are left out.
 */
export function answerCandidates(sources: readonly Source[]): Candidate[] {
  const candidates = sources.flatMap((source, index) => candidatesOf(source, index + 1));
  const useful = candidates.filter(({ isUseful }) => isUseful);
  if (useful.length > 0) return useful;
  return candidates.length > 0 ? candidates : sources.flatMap(wholeSource);
}

/** Returns the start of a source as a candidate. Used if all sources contain only headings and questions. */
function wholeSource({ content, documentName }: Source, index: number): Candidate[] {
  const text = toPlainTextLine(content.slice(0, 300).toWellFormed());
  const terms = contentTerms(text);
  const place = {
    source: index + 1,
    document: documentName,
    position: 0,
    distance: 0,
    list: null,
    isSteps: false,
    isUseful: true,
  };
  return text === '' ? [] : [{ ...place, text, terms, topic: [], before: [], askedAbove: [] }];
}

function candidatesOf(source: Source, number: number): Candidate[] {
  const locationTerms = contentTerms(`${source.documentName} ${source.context}`);
  const candidates: Candidate[] = [];
  let heading = lastLocation(source.context);
  let headingPosition = 0;
  let leadIn = '';
  let titles = parseColumnTitles(source.context);
  for (const group of groupsOf(sentencesOf(source.content))) {
    if (isHeading(group)) {
      const text = group.sentences.map((sentence) => sentence.text).join(' ');
      if (group.kind === 'sentence' && !hasQuestion(group)) {
        leadIn = text;
      } else {
        heading = text;
        headingPosition = candidates.length;
      }
      continue;
    }
    const isContinued = candidates.length === 0 && titles.length > 0;
    const read = readGroup(group, { titles, isContinued, heading });
    titles = read.titles;
    const topic = [...locationTerms, ...contentTerms(`${heading} ${leadIn}`)];
    const askedAbove = hasQuestionMark(heading) ? contentTerms(heading) : [];
    leadIn = '';
    for (const { text, list, before = '', isUseful = true, isSteps = false } of read.texts) {
      const terms = contentTerms(text);
      if (terms.length > 0) {
        candidates.push({
          source: number,
          document: source.documentName,
          position: candidates.length,
          text,
          terms,
          topic,
          before: contentTerms(before),
          askedAbove,
          distance: candidates.length - headingPosition,
          list,
          isSteps,
          isUseful,
        });
      }
    }
  }
  return candidates;
}

function hasQuestion({ sentences }: SentenceGroup): boolean {
  return sentences.some(({ text }) => hasQuestionMark(text));
}

function hasQuestionMark(text: string): boolean {
  return /[?？؟]["'”’»」)]*(?:\s|$)/u.test(text);
}

function lastLocation(context: string): string {
  return context.split(' › ').at(-1) ?? '';
}

/** Returns the candidate texts of a group, and the column titles that apply to the table rows after it. */
function readGroup(
  { kind, sentences }: SentenceGroup,
  above: { readonly titles: ColumnTitles; readonly isContinued: boolean; readonly heading: string },
): { readonly texts: readonly CandidateText[]; readonly titles: ColumnTitles } {
  const { titles } = above;
  const texts = sentences.map(({ text }) => toPlainTextLine(text));
  switch (kind) {
    case 'sentence':
      return {
        texts: texts.map((text, index) => ({
          text: prependPreviousSentence(text, texts[index - 1]),
          before: texts[index - 1],
          isUseful: !isUnhelpful(text),
          list: null,
        })),
        titles,
      };
    case 'list-item':
      return { texts: listTexts(texts, above.heading), titles };
    case 'table-row': {
      const table = separateTitleRows(texts, titles, above.isContinued);
      return { texts: alone(tableRowsAsText(table.rows, table.titles)), titles: table.titles };
    }
    case 'heading':
      return { texts: [], titles };
  }
}

function alone(texts: readonly string[]): CandidateText[] {
  return texts.map((text) => ({ text, list: null }));
}

/** A list of at most this many words is one candidate, so it is never divided. */
const maxUndividedWords = 50;

function listTexts(lines: readonly string[], heading: string): CandidateText[] {
  const list = readList(withHeadingAsLead(lines, heading));
  if (contentsPattern.test(toPlainTextLine(heading)) || contentsPattern.test(list.lead)) return [];
  const isSteps = list.isOrdered;
  if (list.whole !== null && wordCount(list.whole) <= maxUndividedWords) {
    return [{ text: list.whole, list: null, isSteps }];
  }
  const lead = list.lead === '' ? '' : `${list.lead} `;
  return list.items.map((item, index) => ({ text: lead + item, list: { list, index }, isSteps }));
}

/** Matches the heading of a table of contents. */
const contentsPattern =
  /^(?:(?:table of )?contents|inhalt|inhaltsverzeichnis|índice|indice|sommaire|table des matières|sumário|содержание|оглавление|目录|目次)\s?[:：]?$/iu;

const maxHeadingWords = 10;

/** Introduces a list of words, such as names, with its heading. A list of sentences needs no introduction. */
function withHeadingAsLead(lines: readonly string[], heading: string): readonly string[] {
  const title = toPlainTextLine(heading).replace(/^[\p{Nd}.]+\s/u, '');
  const isTitle =
    title !== '' && /[\p{L}\p{Nd})]$/u.test(title) && wordCount(title) <= maxHeadingWords;
  const areWords = lines.every((line) => markerOf(line) !== '' && !endsSentence(line));
  return isTitle && areWords && lines.length > 1 ? [`${title}:`, ...lines] : lines;
}
