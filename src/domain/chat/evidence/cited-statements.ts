import { sentencesOf } from '../../../text/sentences.ts';
import { contentTerms } from '../../../text/terms.ts';
import { createCitationMarkerScanner } from '../../output-filter/citation-marker-scanner.ts';
import type { ScannedSegment } from '../../output-filter/scan-state.ts';

/** A statement of an answer and the sources it cites. */
export interface Statement {
  readonly text: string;
  /** Source numbers, from 1. */
  readonly sources: readonly number[];
}

/**
 * Returns the cited statements of an answer, in order. A statement is the text before a group of markers, at most two
 * sentences. If a marker opens a sentence ("According to [1], …"), the statement also includes the text after the
 * marker.
 */
export function citedStatements(answer: string): Statement[] {
  return groupsOf(answer).map(({ before, numbers, after }) => ({
    text: statementText(before, after),
    sources: numbers,
  }));
}

/** Returns the texts between the markers of an answer that consists of quotes. Each text is one statement. */
export function quotedStatements(answer: string): Statement[] {
  return groupsOf(answer).map(({ before, numbers }) => ({
    text: before.replace(leadingMarks, '').trimEnd(),
    sources: numbers,
  }));
}

function groupsOf(answer: string): MarkerGroup[] {
  const scanner = createCitationMarkerScanner();
  return markerGroupsOf([...scanner.push(answer), ...scanner.flush()]);
}

const leadingMarks = /^[\s.,;:!?]+/u;

/** Returns the statements that cite a source, joined with spaces, or '' if there are none. */
export function textCitingSource(statements: readonly Statement[], source: number): string {
  return statements
    .filter(({ sources }) => sources.includes(source))
    .map(({ text }) => text)
    .join(' ');
}

interface MarkerGroup {
  readonly before: string;
  readonly numbers: readonly number[];
  readonly after: string;
}

/** Groups adjacent markers: those with only white space or punctuation between them. */
function markerGroupsOf(segments: readonly ScannedSegment[]): MarkerGroup[] {
  const groups: { before: string; numbers: number[]; after: string }[] = [];
  let text = '';
  for (const segment of segments) {
    if (segment.type === 'text') {
      text += segment.text;
      const last = groups.at(-1);
      if (last) last.after += segment.text;
      continue;
    }
    const last = groups.at(-1);
    if (last && !/[\p{L}\p{Nd}]/u.test(text)) {
      last.numbers.push(...segment.numbers);
    } else {
      groups.push({ before: text, numbers: [...segment.numbers], after: '' });
    }
    text = '';
  }
  return groups;
}

function statementText(before: string, after: string): string {
  const sentences = sentencesOf(before.replace(leadingMarks, '')).map(({ text }) => text);
  const lastTwo = sentences.slice(-2);
  const last = lastTwo.at(-1) ?? '';
  const text = contentTerms(last).length >= minTerms ? last : lastTwo.join(' ');
  if (contentTerms(text).length >= minTerms) {
    return text;
  }
  const [next] = sentencesOf(after.replace(leadingMarks, ''));
  return `${text} ${next?.text ?? ''}`.trim();
}

/**
 * Minimum number of content words in a statement. A statement with fewer words cannot be matched to one sentence of a
 * source.
 */
const minTerms = 3;

/** Returns the numbers of the sources that an answer cites, in order of first citation. Ignores markers in code. */
export function citedSources(answer: string): number[] {
  const scanner = createCitationMarkerScanner();
  const segments = [...scanner.push(answer), ...scanner.flush()];
  return [
    ...new Set(segments.flatMap((segment) => (segment.type === 'marker' ? segment.numbers : []))),
  ];
}
