import { sentencesOf } from '../models/sentences.ts';
import { contentTerms } from '../models/terms.ts';
import { markerScanner, type Piece } from './marker-scanner.ts';

/** Something an answer says, with the sources it names for it. */
export interface Statement {
  readonly text: string;
  /** Numbers of sources, from 1. */
  readonly sources: readonly number[];
}

/**
 * The cited statements of an answer, in order: what stands between one group of markers and the one before,
 * at most its last two sentences; for a marker that opens a sentence ("According to [1], …") what follows.
 */
export function citedStatements(answer: string): Statement[] {
  const scanner = markerScanner();
  const pieces = [...scanner.push(answer), ...scanner.flush()];
  return groupsOf(pieces).map(({ before, numbers, after }) => ({
    text: statementText(before, after),
    sources: numbers,
  }));
}

/** What an answer says with the source of this number, or '' where it does not cite it. */
export function statementsCiting(answer: string, source: number): string {
  return citedStatements(answer)
    .filter(({ sources }) => sources.includes(source))
    .map(({ text }) => text)
    .join(' ');
}

interface Group {
  readonly before: string;
  readonly numbers: readonly number[];
  readonly after: string;
}

/** Markers that only white space or punctuation separates are one group. */
function groupsOf(pieces: readonly Piece[]): Group[] {
  const groups: { before: string; numbers: number[]; after: string }[] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.type === 'text') {
      text += piece.text;
      const last = groups.at(-1);
      if (last) last.after += piece.text;
      continue;
    }
    const last = groups.at(-1);
    if (last && !/[\p{L}\p{Nd}]/u.test(text)) {
      last.numbers.push(...piece.numbers);
    } else {
      groups.push({ before: text, numbers: [...piece.numbers], after: '' });
    }
    text = '';
  }
  return groups;
}

function statementText(before: string, after: string): string {
  const sentences = sentencesOf(before.replace(/^[\s.,;:!?]+/u, '')).map(({ text }) => text);
  const lastTwo = sentences.slice(-2);
  const last = lastTwo.at(-1) ?? '';
  const text = contentTerms(last).length >= minTerms ? last : lastTwo.join(' ');
  if (contentTerms(text).length >= minTerms) {
    return text;
  }
  const [next] = sentencesOf(after.replace(/^[\s.,;:!?]+/u, ''));
  return `${text} ${next?.text ?? ''}`.trim();
}

/** Fewer content words do not tell one sentence of a source from another. */
const minTerms = 3;
