import type { EmbeddingModel } from '../../../models/models.ts';
import { once } from '../../../platform/once.ts';
import type { SqlClient } from '../../../platform/postgres/run-sql.ts';
import { mayBeEnglish } from '../../../text/detect-language.ts';
import { queryTerms } from '../../../text/query-terms.ts';
import { closestQuestionWord, misspelledFunctionWord } from '../../../text/question-words.ts';
import { doubledSpellings, spellingDistance, spellingEdits } from '../../../text/spelling-edits.ts';
import { stopWords } from '../../../text/stop-words.ts';
import { fold, tokenize } from '../../../text/tokenize.ts';
import { countKnownTerms, sampleLongTerms } from './project-vocabulary.ts';

export interface CorrectedQuery {
  /** The query with misspelled words replaced. */
  readonly query: string;
  readonly corrections: Corrections;
  /** Tokens counted by the embedding model. */
  readonly embeddingTokens: number;
}

/** Correct spellings. The keys are the misspelled words in folded form. */
export type Corrections = ReadonlyMap<string, string>;

export interface QuerySpelling {
  readonly projectId: string;
  readonly query: string;
  /** Terms of the query that no chunk of the project contains. */
  readonly unknownTerms: ReadonlySet<string>;
  /**
   * The embedding model of the search. If the model runs in this process, words in its vocabulary are not corrected.
   */
  readonly model: EmbeddingModel | null;
}

/**
 * Replaces misspelled words by words from the project's own documents. A word is misspelled if no chunk contains it,
 * the embedding model does not know it, and a chunk contains a similar word. Similar means a Damerau-Levenshtein
 * distance of 1, or of 2 for words with at least eight letters. If no chunk has a similar word, the word is compared
 * with words that are common in questions: "tme" becomes "time". Other languages than English have words that the
 * embedding model does not know, so only their long words are corrected. Certain misspellings of function words, such
 * as "teh", are corrected first.
 *
 * The cost is limited: nothing happens unless a search found a word that no chunk contains. Then one statement makes at
 * most `maxEdits` index lookups, and a sample of 256 chunks is read for each long word without a correction.
 */
export async function correctQuery(
  client: SqlClient,
  { projectId, query, unknownTerms, model }: QuerySpelling,
  signal: AbortSignal,
): Promise<CorrectedQuery> {
  const unknownWords = unknownTerms.size === 0 ? [] : locateUnknownWords(query, unknownTerms);
  if (unknownWords.length === 0 || unknownWords.length > maxUnknownWords) {
    return { query, corrections: new Map(), embeddingTokens: 0 };
  }
  const { vocabulary, embeddingTokens } = await wordsKnownTo(model, unknownWords, signal);
  const misspelled = unknownWords.filter(
    ({ folded, text }) =>
      !vocabulary.has(folded) || misspelledFunctionWord(text, query) !== undefined,
  );
  const corrections = await findCorrections(client, projectId, { query, words: misspelled });
  return { query: replaceWords(query, misspelled, corrections), corrections, embeddingTokens };
}

/** Applies the corrections of a query to the text that the end user wrote. Returns null if nothing changes. */
export function correctSpelling(text: string, corrections: Corrections): string | null {
  if (corrections.size === 0) return null;
  const corrected = replaceWords(text, plainWords(text), corrections);
  return corrected === text ? null : corrected;
}

/**
 * Returns the words that are one token in the model's vocabulary, or a form of such a word: "cheapest" of "cheap". They
 * are spelled correctly, although no document contains them.
 */
async function wordsKnownTo(
  model: EmbeddingModel | null,
  words: readonly QueryWord[],
  signal: AbortSignal,
): Promise<{ readonly vocabulary: ReadonlySet<string>; readonly embeddingTokens: number }> {
  if (model?.isInProcess !== true) return { vocabulary: new Set(), embeddingTokens: 0 };
  const forms = words.flatMap(({ folded }) =>
    [folded, ...baseForms(folded)].map((form) => ({ folded, form })),
  );
  const texts = forms.map(({ form }) => form);
  const { vocabularyCoverage, tokens } = await model.embed(texts, { signal, kind: 'query' });
  const known = forms.filter((_, index) => vocabularyCoverage?.[index] === 1);
  return { vocabulary: new Set(known.map(({ folded }) => folded)), embeddingTokens: tokens };
}

/** Returns the words of which an English word may be a form: "copes" may be a form of "cope" and of "cop". */
function baseForms(word: string): string[] {
  return suffixes.flatMap((suffix) => {
    const base = word.endsWith(suffix) ? word.slice(0, -suffix.length) : '';
    const forms = [base, `${base}e`, base.replace(/i$/, 'y'), base.replace(/([a-z])\1$/, '$1')];
    return base.length < minBaseLength ? [] : [...new Set(forms)];
  });
}

const suffixes = ['s', 'es', 'ed', 'er', 'est', 'ing', 'ly'];
const minBaseLength = 3;

/** If the query has more unknown words, the documents are probably in another language or about another topic. */
const maxUnknownWords = 4;
/** Maximum number of spellings to look up in the index for one query. */
const maxEdits = 2_400;

interface QueryWord {
  readonly start: number;
  readonly text: string;
  readonly folded: string;
}

/** Returns the content words in Latin letters that no chunk contains, not even by their first letters. */
function locateUnknownWords(query: string, unknownTerms: ReadonlySet<string>): QueryWord[] {
  const searched = new Set(queryTerms(query));
  const minLength = mayBeEnglish(query) ? minCorrectedLength : minForeignLength;
  return plainWords(query).filter(
    ({ text, folded }) =>
      /^[a-z]{3,20}$/.test(folded) &&
      (folded.length >= minLength || questionWordFor(text, query) !== undefined) &&
      !isAcronym(text, query) &&
      !stopWords.has(folded) &&
      tokenize(text)
        .flat()
        .every((term) => unknownTerms.has(term) || (term.endsWith('*') && !searched.has(term))),
  );
}

function questionWordFor(text: string, query: string): string | undefined {
  return misspelledFunctionWord(text, query) ?? closestQuestionWord(text, query);
}

function plainWords(text: string): QueryWord[] {
  return [...text.matchAll(plainWord)].map(({ 0: word, index }) => ({
    start: index,
    text: word,
    folded: fold(word),
  }));
}

/** Matches a word that has no digits or separators next to it. A hyphen between letters joins two words. */
const plainWord =
  /(?<![\p{L}\p{M}\p{N}_@/+#&]|(?<!\p{L})-)\p{L}[\p{L}\p{M}]{2,30}(?![\p{L}\p{M}\p{N}_@/+#&]|-(?!\p{L})|\.\p{L})/gu;

function isAcronym(text: string, query: string): boolean {
  return text === text.toUpperCase() && query !== query.toUpperCase();
}

/** Returns the index term of a folded Latin word. */
function termOf(folded: string): string {
  return tokenize(folded)[0]?.[0] ?? folded;
}

/** Returns the best correction for each word, if there is one. */
async function findCorrections(
  client: SqlClient,
  projectId: string,
  { query, words }: { readonly query: string; readonly words: readonly QueryWord[] },
): Promise<Map<string, string>> {
  const edits = words.map(({ folded, text }) =>
    folded.length < minCorrectedLength || misspelledFunctionWord(text, query) !== undefined
      ? new Map<string, string>()
      : closeSpellings(folded),
  );
  const terms = [...new Set(edits.flatMap((spellings) => [...spellings.keys()]))].slice(
    0,
    maxEdits,
  );
  const chunksOf = await countKnownTerms(client, projectId, terms);
  const corrections = new Map<string, string>();
  // Words of two languages often differ by their last letter only, such as "Passwort" and "password".
  const isEnglish = mayBeEnglish(query);
  for (const [index, { folded, text }] of words.entries()) {
    const known = [...(edits[index] ?? [])].filter(
      ([term, spelling]) => chunksOf.has(term) && (isEnglish || spelling.at(-1) === folded.at(-1)),
    );
    const [best] = known.sort(
      ([left, spelling], [right, other]) =>
        Number(other[0] === folded[0]) - Number(spelling[0] === folded[0]) ||
        (chunksOf.get(right) ?? 0) - (chunksOf.get(left) ?? 0),
    );
    const correction =
      best?.[1] ??
      questionWordFor(text, query) ??
      (isEnglish ? await findDistantCorrection(client, projectId, folded) : undefined);
    if (correction !== undefined) corrections.set(folded, correction);
  }
  return corrections;
}

/**
 * Returns the terms of all spellings at distance 1, with one spelling for each term. The first letter of a short word
 * does not change.
 */
function closeSpellings(folded: string): Map<string, string> {
  const spellings = [...spellingEdits(folded), ...doubledSpellings(folded)].filter(
    (edit) =>
      edit.length >= 4 &&
      (folded.length > 4 || edit[0] === folded[0]) &&
      !stopTerms().has(termOf(edit)),
  );
  // If several spellings have the same term, use the shortest: "involved", not "involvved".
  spellings.sort((left, right) => right.length - left.length);
  return new Map(spellings.map((edit) => [termOf(edit), edit]));
}

/** Index terms of function words. They can equal the term of another word: "ares" has the same term as "are". */
const stopTerms = once((): ReadonlySet<string> => new Set([...stopWords].map(termOf)));

/** Shorter words are not corrected, because the documents contain too many similar words. */
const minCorrectedLength = 4;
/** The same for questions in other languages than English. */
const minForeignLength = 7;

const minDistantLength = 8;

/** Returns the closest term at distance 2 with the same first letter, or undefined. */
async function findDistantCorrection(
  client: SqlClient,
  projectId: string,
  folded: string,
): Promise<string | undefined> {
  if (folded.length < minDistantLength) return undefined;
  const stem = termOf(folded);
  const terms = await sampleLongTerms(client, projectId, folded[0] ?? '');
  return terms.find((term) => /^[a-z]+$/.test(term) && spellingDistance(stem, term, 2) <= 2);
}

function replaceWords(
  query: string,
  words: readonly QueryWord[],
  corrections: ReadonlyMap<string, string>,
): string {
  let corrected = '';
  let copiedTo = 0;
  for (const { start, text, folded } of words) {
    const correction = corrections.get(folded);
    if (correction === undefined) continue;
    const isCapitalized = /^\p{Lu}/u.test(text);
    const shown = isCapitalized
      ? `${correction[0]?.toUpperCase()}${correction.slice(1)}`
      : correction;
    corrected += query.slice(copiedTo, start) + shown;
    copiedTo = start + text.length;
  }
  return corrected + query.slice(copiedTo);
}
