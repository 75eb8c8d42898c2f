import type { Source } from './models.ts';
import { listTexts, oneLine, tableTexts, withAntecedent } from './readable.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { splitTitles, type Titles, titlesOfContext } from './table-rows.ts';
import { contentTerms } from './terms.ts';

/** Something a source says that can stand in an answer by itself. */
export interface Candidate {
  /** Number of the source, from 1. */
  readonly source: number;
  /** Order in the source. */
  readonly position: number;
  /** Readable on one line. */
  readonly text: string;
  readonly terms: readonly string[];
  /** What the heading, the place and the document's name say it is about. */
  readonly topic: readonly string[];
}

/** Everything the sources say, source by source. Headings are no candidates but the topic of what follows. */
export function answerCandidates(sources: readonly Source[]): Candidate[] {
  const candidates = sources.flatMap((source, index) => candidatesOf(source, index + 1));
  return candidates.length > 0 ? candidates : sources.flatMap(wholeSource);
}

/** For sources that hold nothing but headings and questions. */
function wholeSource({ content }: Source, index: number): Candidate[] {
  const text = oneLine(content.slice(0, 300).toWellFormed());
  const terms = contentTerms(text);
  return text === '' ? [] : [{ source: index + 1, position: 0, text, terms, topic: [] }];
}

function candidatesOf(source: Source, number: number): Candidate[] {
  const place = contentTerms(`${source.documentName} ${source.context}`);
  const candidates: Candidate[] = [];
  let heading: readonly string[] = [];
  let titles = titlesOfContext(source.context);
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
        const topic = [...place, ...heading];
        candidates.push({ source: number, position: candidates.length, text, terms, topic });
      }
    }
  }
  return candidates;
}

/** A question or a lead-in in a document says nothing but what follows is about. */
function isHeading({ kind, sentences }: Group): boolean {
  return (
    kind === 'heading' ||
    (kind === 'sentence' && sentences.every(({ text }) => opensSomething.test(text)))
  );
}

const opensSomething = /[?？؟:：]["'”’»」)]*$/u;

interface Group {
  readonly kind: Sentence['kind'];
  readonly sentences: Sentence[];
}

/** Neighbours of one kind; the sentence that introduces a list belongs to the list. */
function groupsOf(sentences: readonly Sentence[]): Group[] {
  const groups: Group[] = [];
  for (const sentence of sentences) {
    const last = groups.at(-1);
    const lead = last?.kind === 'sentence' ? last.sentences.at(-1) : undefined;
    const isOpening = sentence.kind === 'sentence' && opensSomething.test(sentence.text);
    const wasOpening = last !== undefined && isHeading(last);
    if (last?.kind === sentence.kind && isOpening === wasOpening) {
      last.sentences.push(sentence);
    } else if (sentence.kind === 'list-item' && lead && /[:：]$/.test(lead.text)) {
      groups.push({ kind: 'list-item', sentences: [lead, sentence] });
    } else {
      groups.push({ kind: sentence.kind, sentences: [sentence] });
    }
  }
  return groups;
}

/** What a group says, and the titles of the table it stands in. */
function readGroup(
  { kind, sentences }: Group,
  titles: Titles,
): { readonly texts: readonly string[]; readonly titles: Titles } {
  const texts = sentences.map(({ text }) => oneLine(text));
  switch (kind) {
    case 'sentence':
      return { texts: texts.map((text, index) => withAntecedent(text, texts[index - 1])), titles };
    case 'list-item':
      return { texts: listTexts(texts), titles };
    case 'table-row': {
      const table = splitTitles(texts, titles);
      return { texts: tableTexts(table.rows, table.titles), titles: table.titles };
    }
    case 'heading':
      return { texts: [], titles };
  }
}
