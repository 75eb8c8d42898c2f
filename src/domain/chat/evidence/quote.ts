import { type Sentence, sentencesOf } from '../../../text/sentences.ts';
import { contentTerms, idfWeights, isNumber } from '../../../text/terms.ts';

/** A verbatim quote of a source: `content.slice(start, end) === quote`. */
export interface Quote {
  readonly quote: string;
  /** UTF-16 offsets into the content. */
  readonly start: number;
  readonly end: number;
}

/** Maximum length of a quote in UTF-16 units. */
const maxQuoteLength = 300;

/**
 * Returns the sentence of `content` that best supports a statement. Adds sentences before or after it that match
 * further words, such as the items of a list, if all fit into `maxQuoteLength`. After a colon, also adds the text that
 * follows it. Returns null if no sentence shares a content word with the statement.
 */
export function findQuote(statement: string, content: string): Quote | null {
  const all = sentencesOf(content);
  const texts = all.filter(({ kind }) => kind !== 'heading');
  // Searches again in all texts, because a command may look like a heading.
  return findQuoteIn(texts, statement, content) ?? findQuoteIn(all, statement, content);
}

function findQuoteIn(
  sentences: readonly Sentence[],
  statement: string,
  content: string,
): Quote | null {
  const terms = sentences.map(({ text }) => contentTerms(text));
  const weightOf = idfWeights(terms);
  const wanted = new Set(contentTerms(statement));
  const scoreRange = (from: number, to: number): number => {
    const found = new Set(
      terms
        .slice(from, to + 1)
        .flat()
        .filter((term) => wanted.has(term)),
    );
    return [...found].reduce((sum, term) => sum + weightOf(term) * (isNumber(term) ? 2 : 1), 0);
  };
  const best = indexOfHighest(sentences.map((_, index) => scoreRange(index, index)));
  if (best === null) {
    return null;
  }
  const [from, to] = extendRange(sentences, best, scoreRange);
  return quoteFrom(content, sentences[from], sentences[afterColon(sentences, from, to)]);
}

function indexOfHighest(scores: readonly number[]): number | null {
  const highest = Math.max(0, ...scores);
  return highest === 0 ? null : scores.indexOf(highest);
}

/**
 * Extends the range by a sentence before or after it, and takes the better one first. Stops when a sentence would raise
 * the score by less than a fifth of the best sentence's score.
 */
function extendRange(
  sentences: readonly Sentence[],
  best: number,
  scoreRange: (from: number, to: number) => number,
): [from: number, to: number] {
  const minGain = scoreRange(best, best) / 5;
  let range: [from: number, to: number] = [best, best];
  for (;;) {
    const [from, to] = range;
    const least = scoreRange(from, to) + minGain;
    const choices: [number, number][] = [
      [from - 1, to],
      [from, to + 1],
    ];
    const [wider] = choices
      .filter(([start, end]) => lengthOf(sentences[start], sentences[end]) <= maxQuoteLength)
      .map((choice) => ({ choice, score: scoreRange(...choice) }))
      .filter(({ score }) => score >= least)
      .sort((left, right) => right.score - left.score);
    if (wider === undefined) return range;
    range = wider.choice;
  }
}

/**
 * Extends the range past a sentence that ends with a colon, because it only introduces what follows: an address, a
 * command or a list.
 */
function afterColon(sentences: readonly Sentence[], from: number, to: number): number {
  let end = to;
  if (!/[:：]$/.test(sentences[to]?.text ?? '')) return end;
  while (lengthOf(sentences[from], sentences[end + 1]) <= maxQuoteLength) end += 1;
  return end;
}

function lengthOf(first: Sentence | undefined, last: Sentence | undefined): number {
  return first && last ? last.end - first.start : Number.POSITIVE_INFINITY;
}

function quoteFrom(
  content: string,
  first: Sentence | undefined,
  last: Sentence | undefined,
): Quote | null {
  if (!first || !last) {
    return null;
  }
  const { start } = first;
  const whole = content.slice(start, last.end);
  const quote = whole.length <= maxQuoteLength ? whole : atWordEnd(whole.slice(0, maxQuoteLength));
  return { quote, start, end: start + quote.length };
}

function atWordEnd(text: string): string {
  const lastSpace = text.search(/\s\S*$/);
  const cut = lastSpace > maxQuoteLength / 2 ? text.slice(0, lastSpace) : text;
  return cut.replace(/[\ud800-\udbff]$/, '').trimEnd();
}
