import { readBlockSpans } from '../../text/block-spans.ts';
import { earlierMessage } from '../../text/earlier-message.ts';
import { memoize } from '../../text/memoize.ts';
import { toPlainTextLine } from '../../text/readable-text.ts';
import { sectionNumbers } from '../../text/section-numbers.ts';
import { sentencesIn, sentencesOf } from '../../text/sentences.ts';
import { parseColumnTitles, readRecord } from '../../text/table-rows.ts';
import { contentTerms } from '../../text/terms.ts';
import type { Source } from '../models.ts';
import { paragraphBlock, withSectionBlocks } from './answer-blocks.ts';
import type { Candidate } from './candidate.ts';
import { candidateTexts, releaseAbove } from './candidate-texts.ts';
import { findForms } from './find-forms.ts';
import { isForm } from './form-penalty.ts';
import { groupsOf, isHeading, type SentenceGroup } from './sentence-groups.ts';

/**
 * Returns the candidates of all sources, source by source. A heading is not a candidate, but its terms become part of
 * the topic of the candidates below it. Texts that cannot answer any question are left out.
 */
export function answerCandidates(sources: readonly Source[]): readonly Candidate[] {
  const highest = Math.max(...sources.map(({ score = 0 }) => score));
  const candidates = withForms(
    sources.flatMap((source, index) => {
      const relevance = highest > 0 ? (source.score ?? 0) / highest : 1;
      const place = { source: index + 1, relevance };
      return identifiedCandidates(source).map((candidate) => ({ ...candidate, ...place }));
    }),
  );
  const useful = candidates.filter(({ isUseful }) => isUseful);
  if (useful.length > 0) return useful;
  return candidates.length > 0 ? candidates : sources.flatMap(wholeSource);
}

/**
 * Marks the candidates that are forms, such as the head of a report. Adds the terms of a document's forms to the topic
 * of all its texts, because these are about the same place, person or device and do not repeat its name. Other texts
 * with labels and values are read as a row of a table, because a long row can be the only row in its chunk.
 */
function withForms(candidates: readonly Omit<Candidate, 'isForm'>[]): readonly Candidate[] {
  const forms = findForms(candidates);
  const termsOf = termsOfForms(forms);
  return candidates.map((candidate) => ({
    ...candidate,
    isForm: forms.has(candidate),
    row: candidate.row ?? (isRecord(candidate, forms) ? readRecord(candidate.text) : null),
    topic: [...candidate.topic, ...(termsOf.get(candidate.documentId) ?? [])],
  }));
}

function isRecord(
  candidate: Omit<Candidate, 'isForm'>,
  forms: ReadonlySet<Omit<Candidate, 'isForm'>>,
): boolean {
  return candidate.kind === 'row' && !forms.has(candidate) && isForm(candidate.text);
}

/** Returns the terms of all forms in the sources, by the id of the document that contains the form. */
export function formTerms(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  return termsOfForms(findForms(sources.flatMap(identifiedCandidates)));
}

function termsOfForms(
  forms: ReadonlySet<Pick<Candidate, 'kind' | 'terms' | 'documentId'>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { kind, terms, documentId } of forms) {
    if (kind !== 'row') continue;
    const known = found.get(documentId) ?? new Set();
    for (const term of terms) known.add(term);
    found.set(documentId, known);
  }
  return found;
}

/** Returns the start of a source as a candidate. Used if all sources contain only headings and questions. */
function wholeSource(source: Source, index: number): Candidate[] {
  const { content, documentName } = source;
  const text = toPlainTextLine(content.slice(0, 300).toWellFormed());
  const terms = contentTerms(text);
  const place: Omit<Candidate, 'text' | 'terms' | 'topic' | 'ownTopic' | 'before' | 'askedAbove'> =
    {
      source: index + 1,
      relevance: 1,
      document: documentName,
      documentId: idOf(source),
      isForm: false,
      isEarlier: false,
      sections: [],
      position: 0,
      distance: 0,
      heading: '',
      section: 0,
      block: null,
      kind: 'sentence',
      list: null,
      row: null,
      isWholeTable: false,
      isLimitation: false,
      isUseful: true,
    };
  return text === ''
    ? []
    : [{ ...place, text, terms, topic: [], ownTopic: [], before: [], askedAbove: [] }];
}

type SourceCandidate = Omit<Candidate, 'source' | 'relevance' | 'documentId' | 'isForm'>;

function identifiedCandidates(source: Source) {
  const documentId = idOf(source);
  return candidatesOf(source).map((candidate) => ({ ...candidate, documentId }));
}

function idOf({ documentId, documentName }: Source): string {
  return documentId ?? documentName;
}

const candidatesOf = memoize(readCandidates, ({ documentName, context, content, blocks }: Source) =>
  [documentName, context, blocks, content].join('\0'),
);

function readCandidates(source: Source): readonly SourceCandidate[] {
  const locationTerms = contentTerms(`${source.documentName} ${source.context}`);
  const candidates: SourceCandidate[] = [];
  let heading = lastLocation(source.context);
  let release = source.context.split(' › ').reduce(releaseAbove, '');
  let headingPosition = 0;
  let section = 0;
  let leadIn = '';
  let previous = '';
  let titles = parseColumnTitles(source.context);
  const groups = groupsOf(sentencesOfSource(source));
  for (const [index, group] of groups.entries()) {
    if (isHeading(group)) {
      const text = group.sentences.map((sentence) => sentence.text).join(' ');
      if (group.kind === 'sentence' && !hasQuestion(group)) {
        leadIn = text;
      } else {
        heading = text;
        release = releaseAbove(release, text);
        headingPosition = candidates.length;
        section += 1;
      }
      continue;
    }
    const isContinued = candidates.length === 0 && titles.length > 0;
    const read = candidateTexts(group, {
      ...{ titles, isContinued, previous },
      heading: release === '' ? heading : release,
      isCutOff: index === groups.length - 1 && source.content.length > maxWholeLength,
    });
    titles = read.titles;
    // If a list starts with the sentence above it, the list replaces that sentence.
    const isContained =
      group.kind === 'list-item' && read.texts[0]?.text.startsWith(`${previous} `);
    if (isContained && candidates.at(-1)?.text === previous) candidates.pop();
    previous = group.kind === 'sentence' ? toPlainTextLine(group.sentences.at(-1)?.text ?? '') : '';
    const topic = [...locationTerms, ...contentTerms(`${heading} ${leadIn}`)];
    const askedAbove = hasQuestionMark(heading) ? contentTerms(heading) : [];
    leadIn = '';
    const block = group.kind === 'sentence' ? paragraphBlock(read.texts, group) : null;
    for (const { before, ...found } of read.texts) {
      const terms = contentTerms(found.text);
      if (terms.length > 0) {
        candidates.push({
          ...found,
          document: source.documentName,
          sections: sectionNumbers([...source.context.split(' › '), heading]),
          isEarlier: heading.startsWith(earlierMessage),
          position: candidates.length,
          terms,
          topic,
          heading: toPlainTextLine(heading),
          ownTopic: contentTerms(heading),
          before: contentTerms(before),
          askedAbove,
          distance: candidates.length - headingPosition,
          section,
          block,
        });
      }
    }
  }
  return withSectionBlocks(candidates);
}

function sentencesOfSource({ content, blocks }: Source) {
  return blocks ? sentencesIn(content, readBlockSpans(blocks)) : sentencesOf(content);
}

/** A shorter chunk ends where its section ends. A longer one may end inside a table. UTF-16 units. */
export const maxWholeLength = 450;

function hasQuestion({ sentences }: SentenceGroup): boolean {
  return sentences.some(({ text }) => hasQuestionMark(text));
}

function hasQuestionMark(text: string): boolean {
  return /[?？؟]["'”’»」)]*(?:\s|$)/u.test(text);
}

function lastLocation(context: string): string {
  return context.split(' › ').at(-1) ?? '';
}
