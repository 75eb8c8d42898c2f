import { memoize } from '../text/memoize.ts';
import { toPlainTextLine } from '../text/readable-text.ts';
import { sentencesOf } from '../text/sentences.ts';
import { parseColumnTitles } from '../text/table-rows.ts';
import { contentTerms } from '../text/terms.ts';
import { type CandidateText, candidateTexts } from './candidate-texts.ts';
import type { Source } from './models.ts';
import { groupsOf, isHeading, type SentenceGroup } from './sentence-groups.ts';

/** A text from a source that can be quoted as an answer, because it is understandable without its context. */
export interface Candidate extends Omit<CandidateText, 'before'> {
  /** Number of the source, from 1. */
  readonly source: number;
  /** Name of the document. */
  readonly document: string;
  /** Position among the candidates of its source, from 0. */
  readonly position: number;
  readonly terms: readonly string[];
  /** Terms of the heading, the context path and the document name. */
  readonly topic: readonly string[];
  /** Terms of the sentence before the candidate in the same paragraph. */
  readonly before: readonly string[];
  /** Terms of the question above the candidate, if its heading is a question. */
  readonly askedAbove: readonly string[];
  /** Number of candidates between the heading and this one. */
  readonly distance: number;
}

/**
 * Returns all candidates, source by source. A heading is not a candidate, but its terms become part of the topic of the
 * candidates below it. Texts that answer no question are left out.
 */
export function answerCandidates(sources: readonly Source[]): Candidate[] {
  const candidates = sources.flatMap((source, index) =>
    candidatesOf(source).map((candidate) => ({ ...candidate, source: index + 1 })),
  );
  const useful = candidates.filter(({ isUseful }) => isUseful);
  if (useful.length > 0) return useful;
  return candidates.length > 0 ? candidates : sources.flatMap(wholeSource);
}

/** Returns the start of a source as a candidate. Used if all sources contain only headings and questions. */
function wholeSource({ content, documentName }: Source, index: number): Candidate[] {
  const text = toPlainTextLine(content.slice(0, 300).toWellFormed());
  const terms = contentTerms(text);
  const place: Omit<Candidate, 'text' | 'terms' | 'topic' | 'before' | 'askedAbove'> = {
    source: index + 1,
    document: documentName,
    position: 0,
    distance: 0,
    kind: 'sentence',
    list: null,
    row: null,
    isUseful: true,
  };
  return text === '' ? [] : [{ ...place, text, terms, topic: [], before: [], askedAbove: [] }];
}

type SourceCandidate = Omit<Candidate, 'source'>;

const candidatesOf = memoize(readCandidates, ({ documentName, context, content }: Source) =>
  JSON.stringify([documentName, context, content]),
);

function readCandidates(source: Source): readonly SourceCandidate[] {
  const locationTerms = contentTerms(`${source.documentName} ${source.context}`);
  const candidates: SourceCandidate[] = [];
  let heading = lastLocation(source.context);
  let headingPosition = 0;
  let leadIn = '';
  let previous = '';
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
    const read = candidateTexts(group, { titles, isContinued, heading, previous });
    titles = read.titles;
    // A list that starts with the sentence above it replaces that sentence.
    const isContained =
      group.kind === 'list-item' && read.texts[0]?.text.startsWith(`${previous} `);
    if (isContained && candidates.at(-1)?.text === previous) candidates.pop();
    previous = group.kind === 'sentence' ? toPlainTextLine(group.sentences.at(-1)?.text ?? '') : '';
    const topic = [...locationTerms, ...contentTerms(`${heading} ${leadIn}`)];
    const askedAbove = hasQuestionMark(heading) ? contentTerms(heading) : [];
    leadIn = '';
    for (const { before, ...found } of read.texts) {
      const terms = contentTerms(found.text);
      if (terms.length > 0) {
        candidates.push({
          ...found,
          document: source.documentName,
          position: candidates.length,
          terms,
          topic,
          before: contentTerms(before),
          askedAbove,
          distance: candidates.length - headingPosition,
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
