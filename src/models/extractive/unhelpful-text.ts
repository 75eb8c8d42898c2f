import { endsSentence, wordCount } from '../../text/readable-text.ts';

/**
 * Whether a text cannot answer any question: a literature reference, only a link, a line of a table of contents,
 * program output, an introduction without the command that should follow, or a few words that are not a sentence.
 */
export function isUnhelpful(text: string): boolean {
  return (
    !/\p{L}/u.test(text) ||
    logLinePattern.test(text) ||
    isFragment(text) ||
    isUnfinished(text) ||
    isReference(text) ||
    isTableOfContents(text) ||
    hasFewLetters(text)
  );
}

const logLinePattern = /^\[?\p{Nd}{4}-\p{Nd}\p{Nd}-\p{Nd}\p{Nd}[T ]\p{Nd}\p{Nd}:\p{Nd}\p{Nd}/u;

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

/**
 * Whether a text introduces a command but does not contain it, such as "You could instead run". The command is then in
 * the next chunk.
 */
function isUnfinished(text: string): boolean {
  return unfinishedPattern.test(text);
}

const unfinishedPattern =
  /(?:\b(?:run|running|use|using|type|enter|execute|call|as follows|like this|for example|such as|the command|this command)|\bthe following (?:\p{L}+ ){0,12}\p{L}+)\s?:?$/iu;

/** Matches parts of a literature reference. A text with at least three of them is a reference. */
const referenceParts = [
  /\b(?:doi:|doi\.org|arxiv:|isbn\b|issn\b)/iu,
  /\b(?:pp?\.|vol\.|no\.|ed\.|eds\.) ?\p{Nd}/iu,
  /\bet al\b/iu,
  /^(?:\[?\p{Nd}{1,3}[\].] )?\p{Lu}[\p{L}'’-]+, (?:\p{Lu}\.|\p{Lu}\p{L}+(?:,| and| &))/u,
  /[(,.] ?(?:1[89]|20)\p{Nd}\p{Nd}[a-z]?\)?[.,;:]/u,
  /\b(?:retrieved|accessed|archived from)\b/iu,
  /\b(?:proceedings|journal|press|publishers?)\b/iu,
  /https?:\/\//iu,
];

/** Whether at least half of the items of a list are links with their titles. */
export function isLinkList(items: readonly string[]): boolean {
  return items.length > 0 && items.filter(isLink).length >= items.length / 2;
}

function isLink(text: string): boolean {
  const links = (text.match(/(?:https?:\/\/|www\.)\S+/giu) ?? []).join('').length;
  return links > 0.6 * text.length;
}

function isReference(text: string): boolean {
  if (isLink(text)) return true;
  return referenceParts.filter((part) => part.test(text)).length >= 3;
}

function isTableOfContents(text: string): boolean {
  return /\.{5,}|(?:\. ){4,}|(?:…){2,}/u.test(text);
}

/** Minimum share of letters in a text that has more than `minJudgedLength` characters, not counting white space. */
const minLetterShare = 0.45;
const minJudgedLength = 30;

function hasFewLetters(text: string): boolean {
  const visible = text.replace(/\s/gu, '');
  const letters = visible.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  return visible.length > minJudgedLength && letters < minLetterShare * visible.length;
}
