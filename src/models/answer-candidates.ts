import {
  listItemsAsText,
  prependPreviousSentence,
  tableRowsAsText,
  toPlainTextLine,
} from '../text/readable-text.ts';
import { type Sentence, sentencesOf } from '../text/sentences.ts';
import { type ColumnTitles, parseColumnTitles, separateTitleRows } from '../text/table-rows.ts';
import { contentTerms } from '../text/terms.ts';
import type { Source } from './models.ts';

/** A text from a source that can be quoted as an answer, because it is understandable without its context. */
export interface Candidate {
  /** Number of the source, from 1. */
  readonly source: number;
  /** Position among the candidates of its source, from 0. */
  readonly position: number;
  /** Readable text on one line. */
  readonly text: string;
  readonly terms: readonly string[];
  /** Terms of the heading, the context path and the document name. */
  readonly topic: readonly string[];
}

/**
 * Returns all candidates, source by source. A heading is not a candidate, but its terms become part of the topic of the
 * candidates below it.
 */
export function answerCandidates(sources: readonly Source[]): Candidate[] {
  const candidates = sources.flatMap((source, index) => candidatesOf(source, index + 1));
  return candidates.length > 0 ? candidates : sources.flatMap(wholeSource);
}

/** Returns the start of a source as a candidate. Used if all sources contain only headings and questions. */
function wholeSource({ content }: Source, index: number): Candidate[] {
  const text = toPlainTextLine(content.slice(0, 300).toWellFormed());
  const terms = contentTerms(text);
  return text === '' ? [] : [{ source: index + 1, position: 0, text, terms, topic: [] }];
}

function candidatesOf(source: Source, number: number): Candidate[] {
  const locationTerms = contentTerms(`${source.documentName} ${source.context}`);
  const candidates: Candidate[] = [];
  let heading: readonly string[] = [];
  let titles = parseColumnTitles(source.context);
  for (const group of groupsOf(sentencesOf(source.content))) {
    if (isHeading(group)) {
      heading = contentTerms(group.sentences.map(({ text }) => text).join(' '));
      continue;
    }
    const read = readGroup(group, titles);
    titles = read.titles;
    for (const text of read.texts) {
      const terms = contentTerms(text);
      if (terms.length > 0) {
        const topic = [...locationTerms, ...heading];
        candidates.push({ source: number, position: candidates.length, text, terms, topic });
      }
    }
  }
  return candidates;
}

/**
 * Whether the group counts as a heading. A question, or a sentence that ends with a colon, does, because it only states
 * the topic of the text after it.
 */
function isHeading({ kind, sentences }: Group): boolean {
  return (
    kind === 'heading' ||
    (kind === 'sentence' && sentences.every(({ text }) => leadInPattern.test(text)))
  );
}

const leadInPattern = /[?？؟:：]["'”’»」)]*$/u;

interface Group {
  readonly kind: Sentence['kind'];
  readonly sentences: Sentence[];
}

/** Groups adjacent sentences of one kind. A list also includes the sentence before it if that ends with a colon. */
function groupsOf(sentences: readonly Sentence[]): Group[] {
  const groups: Group[] = [];
  for (const sentence of sentences) {
    const last = groups.at(-1);
    const lead = last?.kind === 'sentence' ? last.sentences.at(-1) : undefined;
    const isLeadIn = sentence.kind === 'sentence' && leadInPattern.test(sentence.text);
    const wasLeadIn = last !== undefined && isHeading(last);
    if (last?.kind === sentence.kind && isLeadIn === wasLeadIn) {
      last.sentences.push(sentence);
    } else if (sentence.kind === 'list-item' && lead && /[:：]$/.test(lead.text)) {
      groups.push({ kind: 'list-item', sentences: [lead, sentence] });
    } else {
      groups.push({ kind: sentence.kind, sentences: [sentence] });
    }
  }
  return groups;
}

/** Returns the candidate texts of a group, and the column titles that apply to the table rows after it. */
function readGroup(
  { kind, sentences }: Group,
  titles: ColumnTitles,
): { readonly texts: readonly string[]; readonly titles: ColumnTitles } {
  const texts = sentences.map(({ text }) => toPlainTextLine(text));
  switch (kind) {
    case 'sentence':
      return {
        texts: texts.map((text, index) => prependPreviousSentence(text, texts[index - 1])),
        titles,
      };
    case 'list-item':
      return { texts: listItemsAsText(texts), titles };
    case 'table-row': {
      const table = separateTitleRows(texts, titles);
      return { texts: tableRowsAsText(table.rows, table.titles), titles: table.titles };
    }
    case 'heading':
      return { texts: [], titles };
  }
}
