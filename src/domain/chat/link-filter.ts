import { addressCharacter, closingPunctuation, isPlainTarget, plainAddress } from './addresses.ts';
import { type AnswerPiece, type LinkPiece, textPiece } from './answer-piece.ts';

export interface LinkFilter {
  push(text: string): AnswerPiece[];
  flush(): AnswerPiece[];
}

/** Addresses in the form of `plainAddress`, each with the numbers of the sources that hold it. */
export type KnownAddresses = ReadonlyMap<string, readonly number[]>;

/**
 * Removes addresses from an answer that are not `known`, so that neither a model nor a document that talks it into it can
 * send what it knows elsewhere, and tells the others apart, each with the sources that hold it. Markdown links and
 * definitions lose their target, images become links, bare addresses disappear. An address is held back to its end, at
 * most 2,048 UTF-16 units; a longer one is dropped.
 */
export function createLinkFilter(known: KnownAddresses): LinkFilter {
  let held = '';
  let before = '';
  let isDropping = false;
  const scan = (isComplete: boolean): AnswerPiece[] => {
    const certain: AnswerPiece[] = [];
    while (held !== '') {
      const stretch = isDropping ? restOfAddress(held) : read(held, before, known, isComplete);
      if (stretch === null) {
        break;
      }
      if (stretch.text !== '') certain.push(textPiece(stretch.text));
      if (stretch.link) certain.push(stretch.link);
      before = `${before}${held.slice(0, stretch.length)}`.slice(-maxLabelLength);
      held = held.slice(stretch.length);
      isDropping = stretch.isCut ?? false;
    }
    return certain;
  };
  return {
    push(text) {
      held += text;
      return scan(false);
    },
    flush: () => scan(true),
  };
}

interface Stretch {
  /** What is let through of `length` units. */
  readonly text: string;
  readonly length: number;
  /** What follows the text. */
  readonly link?: LinkPiece;
  /** The address is dropped and goes on beyond what was read. */
  readonly isCut?: boolean;
}

const maxAddressLength = 2_048;
/** Of what a definition names, with what stands before it in its line. */
const maxLabelLength = 1_040;

/** The next stretch that can be judged, or null when more text is needed. */
function read(
  held: string,
  before: string,
  known: KnownAddresses,
  isComplete: boolean,
): Stretch | null {
  const start = indexFrom(special, before, held) ?? held.length;
  if (start > 0) {
    const unfinished = isComplete ? null : indexFrom(unfinishedSpecial, before, held);
    const length = Math.min(start, unfinished ?? start);
    return length === 0 ? null : { text: held.slice(0, length), length };
  }
  if (held.startsWith('![')) {
    return readImage(held, isComplete);
  }
  if (held.startsWith(']:')) {
    return readDefinition(held, known, isComplete);
  }
  return held.startsWith('](')
    ? readTarget(held, known, isComplete)
    : readBareAddress(held, known, isComplete);
}

/** What makes a page's or a mailbox's address of the text behind it. */
const openings = [String.raw`https?:\/(?=\S)`, String.raw`www\.`, String.raw`mailto:(?=\S)`];
const unfinishedOpenings = ['https://', 'http://', 'www.', 'mailto:'].flatMap((opening) =>
  Array.from(opening, (_, index) => opening.slice(0, index + 1).replace('.', '[.]')),
);
/** `[label]` at the start of a line. */
const label = String.raw`(?:^|\n)[\s>*+.)\d-]{0,40}\[[^\[\]]{1,999}`;
/** `://` behind a word is the rest of any other scheme. */
const special = new RegExp(
  String.raw`!\[|\]\(|\]:(?<=${label}\]:)|(?<![a-z0-9])(?:${openings.join('|')})|(?<=[a-z0-9+.-]):\/\/(?=\S)|(?<![\p{L}\p{N}:/])\/\/(?=[\w-])`,
  'giu',
);
const unfinishedSpecial = new RegExp(
  String.raw`(?:[!\]]|(?<![a-z0-9])(?:${unfinishedOpenings.join('|')})|(?<=[a-z0-9+.-]):(?:\/\/?)?|(?<![\p{L}\p{N}:/])\/\/?)$`,
  'giu',
);

function indexFrom(pattern: RegExp, before: string, held: string): number | null {
  pattern.lastIndex = before.length;
  const match = pattern.exec(before + held);
  return match ? match.index - before.length : null;
}

/** `![1]` is an exclamation mark with a marker; any other image becomes a link. */
function readImage(held: string, isComplete: boolean): Stretch | null {
  if (held.length < 3 && !isComplete) {
    return null;
  }
  const isMarker = /^!\[[\s^]*\p{Nd}/u.test(held);
  return isMarker ? { text: '!', length: 1 } : { text: '', length: 1 };
}

/** The target of a link. What stands in round brackets and cannot be a target is text. */
function readTarget(held: string, known: KnownAddresses, isComplete: boolean): Stretch | null {
  const length = targetLength(held);
  if (length === null && !isComplete && !startsAsText.test(held)) {
    const length = maxAddressLength;
    return held.length > length ? { text: ']', length, isCut: true } : null;
  }
  if (length === null) {
    return { text: '](', length: 2 };
  }
  const inside = held.slice(2, length - 1);
  const [, target] = linkTarget.exec(inside) ?? [];
  if (target === undefined) {
    return startsAsAddress.test(inside) ? { text: ']', length } : { text: '](', length: 2 };
  }
  const sources = sourcesOf(target, known);
  if (sources === undefined) {
    return { text: ']', length };
  }
  const link = { type: 'link', text: held.slice(1, length), otherwise: '', sources } as const;
  return { text: ']', length, link };
}

/** The sources that hold the target of a link; undefined where there is none, or it leads elsewhere than it says. */
function sourcesOf(target: string, known: KnownAddresses): readonly number[] | undefined {
  return isPlainTarget(target) ? known.get(plainAddress(target)) : undefined;
}

/** CommonMark's link destination with an optional title. */
const linkTarget =
  /^\s*(<[^<>\n]*>|[^\s<]\S*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*$/s;
const startsAsAddress = /^\s*<?(?:[a-z][a-z0-9+.-]*:\S|[/\\]|www\.)/i;

/** `[label]: target`, to which links and images may point from anywhere. A plain word is the beginning of a text. */
function readDefinition(held: string, known: KnownAddresses, isComplete: boolean): Stretch | null {
  const [opening = ''] = /^\]:[^\S\n]*\n?[^\S\n]*/.exec(held) ?? [];
  const [target = ''] = /^\S*/.exec(held.slice(opening.length)) ?? [];
  const length = opening.length + target.length;
  if (length === held.length && !isComplete) {
    return length > maxAddressLength ? { text: ']:', length, isCut: true } : null;
  }
  if (!/[:/\\&<@#%]/.test(target.replace(closingPunctuation, ''))) {
    return { text: ']:', length: 2 };
  }
  const sources = sourcesOf(target, known);
  if (sources === undefined) {
    // With a space it defines nothing: the next word would take the target's place.
    return { text: opening.replace(':', ' :'), length };
  }
  return { text: opening, length, link: { type: 'link', text: target, otherwise: '', sources } };
}

/** Two words, or an empty line. */
const startsAsText = /^\]\(\s*(?:[^\s<()][^\s()]*\s+[^\s"'()]|[^\n]*\n\s*\n)/;

/** Length of `](…)` with balanced brackets, or null as long as it is not closed. */
function targetLength(held: string): number | null {
  let depth = 0;
  for (let index = 1; index < Math.min(held.length, maxAddressLength); index += 1) {
    const character = held[index];
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth === 0) {
      return index + 1;
    }
  }
  return null;
}

function readBareAddress(held: string, known: KnownAddresses, isComplete: boolean): Stretch | null {
  const [address = ''] = bareAddress.exec(held) ?? [];
  if (address.length === held.length && !isComplete) {
    return held.length > maxAddressLength ? { text: '', length: held.length, isCut: true } : null;
  }
  if (address.startsWith('//') && !address.includes('.')) {
    // A comment in code.
    return { text: address, length: address.length };
  }
  const [closing = ''] = closingPunctuation.exec(address) ?? [];
  const sources = known.get(plainAddress(address));
  if (sources === undefined) {
    return { text: closing, length: address.length };
  }
  const link = { type: 'link', text: address, otherwise: closing, sources } as const;
  return { text: '', length: address.length, link };
}

const bareAddress = new RegExp(`^${addressCharacter}+`, 'u');

/** What follows an address that was too long, up to its end. */
function restOfAddress(held: string): Stretch {
  const length = held.search(/[\s)]/);
  return length === -1
    ? { text: '', length: held.length, isCut: true }
    : { text: '', length, isCut: false };
}
