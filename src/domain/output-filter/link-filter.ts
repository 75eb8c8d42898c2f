import { type AnswerSegment, type LinkSegment, textSegment } from './answer-segment.ts';
import { type CountFiltered, ignoreFiltered } from './filtered-parts.ts';
import { closingPunctuation, isSafeLinkTarget, normalizeUrl, urlCharacter } from './urls.ts';

export interface LinkFilter {
  push(text: string): AnswerSegment[];
  flush(): AnswerSegment[];
}

/** Normalized URLs (`normalizeUrl`). The value of each URL is the list of sources that contain it, as numbers. */
export type SourcesByUrl = ReadonlyMap<string, readonly number[]>;

/**
 * Creates a filter that removes URLs which are not `known`. So neither the model nor a prompt injection in a document
 * can send data to other sites. Known URLs become link segments with their sources.
 *
 * Markdown links and definitions lose an unknown target, images become links, and unknown bare URLs are removed. A URL
 * is buffered until its end, up to 2,048 UTF-16 units. Longer URLs are removed.
 */
export function createLinkFilter(
  known: SourcesByUrl,
  countFiltered: CountFiltered = ignoreFiltered,
): LinkFilter {
  let buffer = '';
  let lookbehind = '';
  let isDropping = false;
  const scan = (isComplete: boolean): AnswerSegment[] => {
    const segments: AnswerSegment[] = [];
    while (buffer !== '') {
      const token = isDropping
        ? skipRestOfUrl(buffer)
        : readToken(buffer, lookbehind, known, isComplete);
      if (token === null) {
        break;
      }
      if (token.text !== '') segments.push(textSegment(token.text));
      if (token.link) segments.push(token.link);
      if (token.isRemoved) countFiltered('LINK');
      lookbehind = `${lookbehind}${buffer.slice(0, token.length)}`.slice(-maxLabelLength);
      buffer = buffer.slice(token.length);
      isDropping = token.isTruncated ?? false;
    }
    return segments;
  };
  return {
    push(text) {
      buffer += text;
      return scan(false);
    },
    flush: () => scan(true),
  };
}

interface LinkToken {
  /** Text to output instead of the next `length` UTF-16 units of the input. */
  readonly text: string;
  readonly length: number;
  /** Link to output after `text`, if there is one. */
  readonly link?: LinkSegment;
  /** True if the token is a URL that is removed. */
  readonly isRemoved?: true;
  /** True if the URL is removed and continues after these units. */
  readonly isTruncated?: boolean;
}

const maxUrlLength = 2_048;
/** Maximum number of UTF-16 units to look back for a definition's label and the start of its line. */
const maxLabelLength = 1_040;

/** Returns the next part of the text that can be decided. Returns null if more text is needed. */
function readToken(
  buffered: string,
  before: string,
  known: SourcesByUrl,
  isComplete: boolean,
): LinkToken | null {
  const start = matchIndex(tokenStart, before, buffered) ?? buffered.length;
  if (start > 0) {
    const unfinished = isComplete ? null : matchIndex(partialTokenStart, before, buffered);
    const length = Math.min(start, unfinished ?? start);
    return length === 0 ? null : { text: buffered.slice(0, length), length };
  }
  if (buffered.startsWith('![')) {
    return readImage(buffered, isComplete);
  }
  if (buffered.startsWith(']:')) {
    return readDefinition(buffered, known, isComplete);
  }
  return buffered.startsWith('](')
    ? readTarget(buffered, known, isComplete)
    : readBareUrl(buffered, known, isComplete);
}

/**
 * Prefixes of web and e-mail addresses. They may contain backslashes: Markdown removes a backslash before punctuation,
 * and browsers read a backslash as a slash.
 */
const urlPrefixes = [
  String.raw`https?\\?:[\\/](?=\S)`,
  String.raw`www\\?\.`,
  String.raw`mailto\\?:(?=\S)`,
];
const partialUrlPrefixes = [
  String.raw`h(?:t(?:t(?:ps?(?:\\?(?::[\\/]?)?)?)?)?)?`,
  String.raw`ww?|www\\?\.?`,
  String.raw`m(?:a(?:i(?:l(?:t(?:o\\?:?)?)?)?)?)?`,
];
/** Matches the `[label` of a link definition at the start of a line. */
const label = String.raw`(?:^|\n)[\s>*+.)\d-]{0,40}\[[^\[\]]{1,999}`;
/**
 * Matches the start of an image, link target, link definition or bare URL. If a word precedes `://`, it is the scheme
 * of the URL, also if it is not http.
 */
const tokenStart = new RegExp(
  String.raw`!\[|\]\(|\]:(?<=${label}\]:)|(?<![a-z0-9])(?:${urlPrefixes.join('|')})|(?<=[a-z0-9+.-]):\/\/(?=\S)|(?<![\p{L}\p{N}:/])\/\/(?=[\w-])`,
  'giu',
);
const partialTokenStart = new RegExp(
  String.raw`(?:[!\]]|(?<![a-z0-9])(?:${partialUrlPrefixes.join('|')})|(?<=[a-z0-9+.-]):(?:\/\/?)?|(?<![\p{L}\p{N}:/])\/\/?)$`,
  'giu',
);

function matchIndex(pattern: RegExp, before: string, buffered: string): number | null {
  pattern.lastIndex = before.length;
  const match = pattern.exec(before + buffered);
  return match ? match.index - before.length : null;
}

/**
 * Keeps the `!` of `![1]`, because it is an exclamation mark before a citation marker. Removes the `!` of an image, so
 * that the image becomes a link.
 */
function readImage(buffered: string, isComplete: boolean): LinkToken | null {
  if (buffered.length < 3 && !isComplete) {
    return null;
  }
  const isMarker = /^!\[[\s^]*\p{Nd}/u.test(buffered);
  return isMarker ? { text: '!', length: 1 } : { text: '', length: 1 };
}

/** Parses the target of a link. If the text in round brackets cannot be a target, it stays text. */
function readTarget(buffered: string, known: SourcesByUrl, isComplete: boolean): LinkToken | null {
  const length = targetLength(buffered);
  if (length === null && !isComplete && !nonTargetPattern.test(buffered)) {
    const length = maxUrlLength;
    return buffered.length > length
      ? { text: ']', length, isTruncated: true, isRemoved: true }
      : null;
  }
  if (length === null) {
    return { text: '](', length: 2 };
  }
  const inside = buffered.slice(2, length - 1);
  const [, target] = linkTarget.exec(inside) ?? [];
  if (target === undefined) {
    return startsAsUrl.test(inside)
      ? { text: ']', length, isRemoved: true }
      : { text: '](', length: 2 };
  }
  const sources = sourcesOf(target, known);
  if (sources === undefined) {
    return { text: ']', length, isRemoved: true };
  }
  const link = { type: 'link', text: buffered.slice(1, length), otherwise: '', sources } as const;
  return { text: ']', length, link };
}

/**
 * Returns the numbers of the sources that contain a link target. Returns undefined if no source contains it, or if the
 * target is unsafe.
 */
function sourcesOf(target: string, known: SourcesByUrl): readonly number[] | undefined {
  return isSafeLinkTarget(target) ? known.get(normalizeUrl(target)) : undefined;
}

/** Matches a CommonMark link destination with an optional title. */
const linkTarget =
  /^\s*(<[^<>\n]*>|[^\s<]\S*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*$/s;
const startsAsUrl = /^\s*<?(?:[a-z][a-z0-9+.-]*:\S|[/\\]|www\.)/i;

/**
 * Parses a link definition `[label]: target`, which links and images anywhere in the answer may use. If a plain word
 * follows the colon, the word stays. A space is then added before the colon, so that the line is not a definition.
 */
function readDefinition(
  buffered: string,
  known: SourcesByUrl,
  isComplete: boolean,
): LinkToken | null {
  const [opening = ''] = /^\]:[^\S\n]*\n?[^\S\n]*/.exec(buffered) ?? [];
  const [target = ''] = /^\S*/.exec(buffered.slice(opening.length)) ?? [];
  const length = opening.length + target.length;
  if (length === buffered.length && !isComplete) {
    return length > maxUrlLength
      ? { text: ']:', length, isTruncated: true, isRemoved: true }
      : null;
  }
  if (!/[:/\\&<@#%]/.test(target.replace(closingPunctuation, ''))) {
    return { text: '] :', length: 2 };
  }
  const sources = sourcesOf(target, known);
  if (sources === undefined) {
    // The added space before the colon prevents a definition. Without it, the next word would become the target.
    return { text: opening.replace(':', ' :'), length, isRemoved: true };
  }
  return { text: opening, length, link: { type: 'link', text: target, otherwise: '', sources } };
}

/**
 * Matches two words or an empty line, because neither can be a target. `(?=(\s*))\1` matches all of the space and never
 * backtracks. Otherwise the search for the end of the line would start again at each space.
 */
const nonTargetPattern =
  /^\]\((?:\s*[^\s<()][^\s()]*\s+[^\s"'()]|[^\S\n]*\n[^\S\n]*\n|(?=(\s*))\1[^\n]*\n\s*\n)/;

/** Returns the length of `](…)` with balanced brackets. Returns null if the brackets are not closed. */
function targetLength(buffered: string): number | null {
  let depth = 0;
  for (let index = 1; index < Math.min(buffered.length, maxUrlLength); index += 1) {
    const character = buffered[index];
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth === 0) {
      return index + 1;
    }
  }
  return null;
}

function readBareUrl(buffered: string, known: SourcesByUrl, isComplete: boolean): LinkToken | null {
  const [address = ''] = bareUrl.exec(buffered) ?? [];
  if (address.length === buffered.length && !isComplete) {
    return buffered.length > maxUrlLength
      ? { text: '', length: buffered.length, isTruncated: true, isRemoved: true }
      : null;
  }
  if (address.startsWith('//') && !address.includes('.')) {
    // If no dot follows `//`, it starts a code comment and not a URL.
    return { text: address, length: address.length };
  }
  const [closing = ''] = closingPunctuation.exec(address) ?? [];
  // An address with a backslash is never known, because renderers interpret backslashes differently.
  const sources = address.includes('\\') ? undefined : known.get(normalizeUrl(address));
  if (sources === undefined) {
    return { text: closing, length: address.length, isRemoved: true };
  }
  const link = { type: 'link', text: address, otherwise: closing, sources } as const;
  return { text: '', length: address.length, link };
}

const bareUrl = new RegExp(`^${urlCharacter}+`, 'u');

/** Removes the rest of a URL that is too long. */
function skipRestOfUrl(buffered: string): LinkToken {
  const length = buffered.search(/[\s)]/);
  return length === -1
    ? { text: '', length: buffered.length, isTruncated: true }
    : { text: '', length, isTruncated: false };
}
