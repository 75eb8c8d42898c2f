import { type Sentence, sentencesOf } from '../models/sentences.ts';
import { contentTerms, isNumber, termWeights } from '../models/terms.ts';

/** Verbatim words of a source: `content.slice(start, end) === quote`. */
export interface Quote {
  readonly quote: string;
  /** UTF-16 offsets into the content. */
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units. */
const maxQuoteLength = 300;

/**
 * Finds the sentence of `content` that supports a statement best, with its neighbours while they add words
 * of the statement and 300 units suffice. Null when no sentence shares a content word with the statement.
 */
export function findQuote(statement: string, content: string): Quote | null {
  const sentences = sentencesOf(content).filter(({ kind }) => kind !== 'heading');
  const terms = sentences.map(({ text }) => contentTerms(text));
  const weightOf = termWeights(terms);
  const wanted = new Set(contentTerms(statement));
  const weigh = (from: number, to: number): number => {
    const found = new Set(
      terms
        .slice(from, to + 1)
        .flat()
        .filter((term) => wanted.has(term)),
    );
    return [...found].reduce((sum, term) => sum + weightOf(term) * (isNumber(term) ? 2 : 1), 0);
  };
  const best = indexOfHighest(sentences.map((_, index) => weigh(index, index)));
  if (best === null) {
    return null;
  }
  const [from, to] = widen(sentences, best, weigh);
  return cutOut(content, sentences[from], sentences[to]);
}

function indexOfHighest(weights: readonly number[]): number | null {
  const highest = Math.max(0, ...weights);
  return highest === 0 ? null : weights.indexOf(highest);
}

/** Takes in the neighbour that adds more, as long as it adds a fifth of what there is. */
function widen(
  sentences: readonly Sentence[],
  best: number,
  weigh: (from: number, to: number) => number,
): [from: number, to: number] {
  const weight = weigh(best, best);
  const choices = [
    { from: best - 1, to: best },
    { from: best, to: best + 1 },
  ].filter(({ from, to }) => lengthOf(sentences[from], sentences[to]) <= maxQuoteLength);
  const [wider] = choices
    .map((choice) => ({ ...choice, weight: weigh(choice.from, choice.to) }))
    .filter((choice) => choice.weight >= weight * 1.2)
    .sort((left, right) => right.weight - left.weight);
  return wider ? [wider.from, wider.to] : [best, best];
}

function lengthOf(first: Sentence | undefined, last: Sentence | undefined): number {
  return first && last ? last.end - first.start : Number.POSITIVE_INFINITY;
}

function cutOut(
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
