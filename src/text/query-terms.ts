import { once } from '../platform/once.ts';
import { dayTerms } from './days.ts';
import { mayBeEnglish } from './detect-language.ts';
import type { Token } from './split-words.ts';
import { foreignStopWords, stopWords } from './stop-words.ts';
import { tokenize } from './tokenize.ts';

/**
 * Returns up to `limit` distinct terms of a query, in order. For a day, also returns terms for the other forms in which
 * documents write it (`dayTerms`).
 */
export function queryTerms(text: string, limit = 64): string[] {
  const tokens = withoutForeignFunctionWords(text, tokenize(text));
  return [...new Set([...tokens.flat(), ...dayTerms(text)])].slice(0, limit);
}

/**
 * Leaves out the function words of a query in another language than English. In a project with documents in several
 * languages, the function words of the less frequent ones are rare, so they would have a high weight.
 */
function withoutForeignFunctionWords(text: string, tokens: readonly Token[]): readonly Token[] {
  if (mayBeEnglish(text)) return tokens;
  const others = tokens.filter(([term = '']) => !foreignStopTerms().has(term));
  return others.length >= minContentWords ? others : tokens;
}

const minContentWords = 2;

const foreignStopTerms = once(
  (): ReadonlySet<string> =>
    new Set(
      [...stopWords, ...foreignStopWords].flatMap((word) => [word, tokenize(word)[0]?.[0] ?? word]),
    ),
);
