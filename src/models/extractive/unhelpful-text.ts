import { endsSentence, wordCount } from '../../text/readable-text.ts';

/** Whether a text cannot answer any question: only a link, program output, or a few words that are not a sentence. */
export function isUnhelpful(text: string): boolean {
  return !/\p{L}/u.test(text) || isFragment(text) || isLink(text) || hasFewLetters(text);
}

/** Maximum number of words of a heading at the end of a chunk. Such a heading contains no value and no full stop. */
const maxHeadingWords = 8;

function isFragment(text: string): boolean {
  const bare = text.replace(/^[\p{Nd}.]+\s/u, '');
  return (
    wordCount(bare) <= maxHeadingWords &&
    !endsSentence(bare) &&
    !/\p{N}|[:;：；]\s?\P{Z}/u.test(bare)
  );
}

/** Whether at least half of the items of a list are links with their titles. */
export function isLinkList(items: readonly string[]): boolean {
  return items.length > 0 && items.filter(isLink).length >= items.length / 2;
}

function isLink(text: string): boolean {
  const links = (text.match(/(?:https?:\/\/|www\.)\S+/giu) ?? []).join('').length;
  return links > 0.6 * text.length;
}

/** Minimum share of letters in a text that has more than `minJudgedLength` characters, not counting white space. */
const minLetterShare = 0.45;
const minJudgedLength = 30;

function hasFewLetters(text: string): boolean {
  const visible = text.replace(/\s/gu, '');
  const letters = visible.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  return visible.length > minJudgedLength && letters < minLetterShare * visible.length;
}
