import { de } from './polite-phrases/de.ts';
import { en } from './polite-phrases/en.ts';
import { es } from './polite-phrases/es.ts';
import { fr } from './polite-phrases/fr.ts';
import { it } from './polite-phrases/it.ts';
import { nl } from './polite-phrases/nl.ts';
import type { PolitePhrases } from './polite-phrases/phrases.ts';
import { pt } from './polite-phrases/pt.ts';
import { fold } from './tokenize.ts';

/**
 * Removes greetings, thanks and polite phrases around the question, in seven languages: "Hello! Could you please tell
 * me when you open? Many thanks!" becomes "when you open?". The removed words are in no document, so they would lower
 * the confidence. Returns the message unchanged if nothing else would remain.
 */
export function coreQuestion(message: string): string {
  const sentences = splitSentences(message);
  const kept: string[] = [];
  for (const words of sentences) {
    const isQuestion = /[?？]/.test(textAfter(message, words));
    const isClosing = words.length <= maxClosingWords && matchLength(closings, words, 0) > 0;
    if (isClosing && !isQuestion) break;
    const [start, end] = coreRange(words, isQuestion);
    const from = words[start];
    const to = words[end - 1];
    if (from === undefined || to === undefined || start >= end) continue;
    kept.push(message.slice(from.start, to.end) + textAfter(message, words).trimEnd());
  }
  return kept.length === 0 ? message.trim() : kept.join(' ');
}

/** Maximum number of words of a closing, including the name after it. */
const maxClosingWords = 8;

interface Word {
  /** The word, normalized with `fold`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Text between this word and the next word. */
  readonly after: string;
}

/** Returns the range of words of a sentence that remain. The range is empty if the sentence is only polite. */
function coreRange(words: readonly Word[], isQuestion: boolean): [start: number, end: number] {
  let start = 0;
  for (let isChanged = true; isChanged && start < words.length; ) {
    const before = start;
    start += interjectionLength(words, start);
    start += greetingLength(words, start);
    const remark = matchLength(remarks, words, start);
    if (remark > 0) start = afterRemark(words, start, start + remark, isQuestion);
    const request = matchLength(requests, words, start);
    if (request > 0) start += request + matchLength(conjunctions, words, start + request);
    isChanged = start > before;
  }
  return [start, coreEnd(words, start)];
}

function coreEnd(words: readonly Word[], start: number): number {
  let end = words.length;
  for (let at = end - 1; at > start && at >= end - maxEndingWords; at -= 1) {
    if (at + matchLength(endings, words.slice(0, end), at) === end) end = at;
  }
  return end;
}

const maxEndingWords = 7;

function interjectionLength(words: readonly Word[], start: number): number {
  const length = matchLength(interjections, words, start);
  return /^,/.test(words[start + length - 1]?.after ?? '') ? length : 0;
}

/**
 * Returns the number of words of a greeting, or 0. A greeting directly before one or two words does not count, because
 * it can be part of a name, such as "Hello Kitty".
 */
function greetingLength(words: readonly Word[], start: number): number {
  const length = matchLength(greetings, words, start);
  const rest = words.length - start - length;
  const isSeparate = /[,.!:;–—\n-]/.test(words[start + length - 1]?.after ?? '');
  return isSeparate || rest === 0 || rest > 2 ? length : 0;
}

/**
 * Returns the index of the first word after a remark. In a question, the remark ends at the next comma. If the phrase
 * that starts the remark ends with a conjunction such as "but", the remark ends with this phrase. In other sentences,
 * the remark is the whole sentence, unless the sentence is long or contains a number.
 */
function afterRemark(
  words: readonly Word[],
  start: number,
  phraseEnd: number,
  isQuestion: boolean,
): number {
  const rest = words.slice(phraseEnd);
  const isFact = rest.length > maxRemarkWords || rest.some(({ text }) => /\p{N}/u.test(text));
  const asks = rest.some((_, index) => matchLength(requests, rest, index) > 1);
  if (rest.length === 0 || (!isQuestion && !isFact && !asks)) return words.length;
  if (contrasts.has(words[phraseEnd - 1]?.text ?? '')) return phraseEnd;
  const comma = words.findIndex(
    ({ after }, index) => index >= phraseEnd - 1 && /^[,:–—-]\s|^\s[–—-]/.test(after),
  );
  return comma === -1 || comma - phraseEnd > maxRemarkWords ? start : comma + 1;
}

const maxRemarkWords = 10;
const contrasts = new Set(['but', 'aber', 'mais', 'pero', 'ma', 'maar', 'mas']);

/** Splits a message into sentences, and each sentence into words. Leaves out text without words. */
function splitSentences(message: string): Word[][] {
  const sentences: Word[][] = [[]];
  const matches = [...message.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  for (const [index, { 0: text, index: start }] of matches.entries()) {
    const end = start + text.length;
    const after = message.slice(end, matches[index + 1]?.index ?? message.length);
    sentences.at(-1)?.push({ text: fold(text), start, end, after });
    if (/[.!?…？！]\s|[。！？\n]/.test(after)) sentences.push([]);
  }
  return sentences.filter((words) => words.length > 0);
}

/** Returns the punctuation after the last word of a sentence. */
function textAfter(message: string, words: readonly Word[]): string {
  const last = words.at(-1);
  if (last === undefined) return '';
  return /^[^\s¿¡]*/u.exec(message.slice(last.end, last.end + last.after.length))?.[0] ?? '';
}

/** A phrase is a list of words. Each word is the set of its alternatives. */
type Phrase = readonly { readonly words: ReadonlySet<string>; readonly isOptional: boolean }[];

/** Phrases by the words with which they can start. */
type PhraseIndex = ReadonlyMap<string, readonly Phrase[]>;

const languages = [en, de, fr, es, it, nl, pt];
const greetings = indexPhrases(({ greetings }) => greetings);
const interjections = indexPhrases(({ interjections }) => interjections);
const remarks = indexPhrases(({ remarks }) => remarks);
const requests = indexPhrases(({ requests }) => requests);
const conjunctions = indexPhrases(({ conjunctions }) => conjunctions);
const endings = indexPhrases(({ endings }) => endings);
const closings = indexPhrases(({ closings }) => closings);

function indexPhrases(select: (language: PolitePhrases) => readonly string[]): PhraseIndex {
  const index = new Map<string, Phrase[]>();
  for (const phrase of languages.flatMap(select).map(parsePhrase)) {
    for (const word of phrase[0]?.words ?? [])
      index.set(word, [...(index.get(word) ?? []), phrase]);
  }
  return index;
}

function parsePhrase(text: string): Phrase {
  return text.split(' ').map((part) => {
    const isOptional = part.startsWith('?');
    const words = fold(isOptional ? part.slice(1) : part).split('/');
    return { words: new Set(words), isOptional };
  });
}

/** Returns the number of words of the longest phrase that starts at index `at`, or 0. */
function matchLength(index: PhraseIndex, words: readonly Word[], at: number): number {
  const phrases = index.get(words[at]?.text ?? '') ?? [];
  return Math.max(0, ...phrases.map((phrase) => phraseLength(phrase, words, at)));
}

function phraseLength(phrase: Phrase, words: readonly Word[], at: number): number {
  let length = 0;
  for (const part of phrase) {
    if (part.words.has(words[at + length]?.text ?? '')) length += 1;
    else if (!part.isOptional) return 0;
  }
  return length;
}
