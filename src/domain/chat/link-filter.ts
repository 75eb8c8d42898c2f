import { addressCharacter, addressesIn, closingPunctuation, plainAddress } from './addresses.ts';
import type { TextFilter } from './text-filter.ts';

/**
 * Removes addresses from an answer that stand in none of `grounds` (the sources, the question), so that
 * neither a model nor a document that talks it into it can send what it knows elsewhere. Markdown links
 * lose their target, images become links, bare addresses disappear. An address is held back to its end,
 * at most 2,048 UTF-16 units; a longer one is dropped.
 */
export function createLinkFilter(grounds: readonly string[]): TextFilter {
  const allowed = addressesIn(grounds);
  let held = '';
  let before = '';
  let isDropping = false;
  const scan = (isComplete: boolean): string => {
    let certain = '';
    while (held !== '') {
      const stretch = isDropping ? restOfAddress(held) : read(held, before, allowed, isComplete);
      if (stretch === null) {
        break;
      }
      certain += stretch.text;
      before = stretch.length > 0 ? held.slice(stretch.length - 1, stretch.length) : before;
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
  /** The address is dropped and goes on beyond what was read. */
  readonly isCut?: boolean;
}

const maxAddressLength = 2_048;

/** The next stretch that can be judged, or null when more text is needed. */
function read(
  held: string,
  before: string,
  allowed: ReadonlySet<string>,
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
  return held.startsWith('](')
    ? readTarget(held, allowed, isComplete)
    : readBareAddress(held, allowed, isComplete);
}

const special = /!\[|\]\(|(?<![a-z0-9])(?:https?:\/\/|www\.)|(?<![\p{L}\p{N}:/])\/\/(?=[\w-])/giu;
const unfinishedSpecial =
  /(?:[!\]]|(?<![a-z0-9])(?:h|ht|htt|https?|https?:|https?:\/|w|ww|www)|(?<![\p{L}\p{N}:/])\/\/?)$/giu;

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
function readTarget(
  held: string,
  allowed: ReadonlySet<string>,
  isComplete: boolean,
): Stretch | null {
  const length = targetLength(held);
  if (length === null && !isComplete && !startsAsText.test(held)) {
    const length = maxAddressLength;
    return held.length > length ? { text: ']', length, isCut: true } : null;
  }
  if (length === null) {
    return { text: '](', length: 2 };
  }
  const [, target] = linkTarget.exec(held.slice(2, length - 1)) ?? [];
  if (target === undefined) {
    return { text: '](', length: 2 };
  }
  const isAllowed = allowed.has(plainAddress(target));
  return { text: isAllowed ? held.slice(0, length) : ']', length };
}

/** CommonMark's link destination with an optional title. */
const linkTarget = /^\s*(<[^<>\n]*>|[^\s<]\S*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

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

function readBareAddress(
  held: string,
  allowed: ReadonlySet<string>,
  isComplete: boolean,
): Stretch | null {
  const [address = ''] = bareAddress.exec(held) ?? [];
  if (address.length === held.length && !isComplete) {
    return held.length > maxAddressLength ? { text: '', length: held.length, isCut: true } : null;
  }
  const isCodeComment = address.startsWith('//') && !address.includes('.');
  if (isCodeComment || allowed.has(plainAddress(address))) {
    return { text: address, length: address.length };
  }
  const [closing = ''] = closingPunctuation.exec(address) ?? [];
  return { text: closing, length: address.length };
}

const bareAddress = new RegExp(`^${addressCharacter}+`, 'u');

/** What follows an address that was too long, up to its end. */
function restOfAddress(held: string): Stretch {
  const length = held.search(/[\s)]/);
  return length === -1
    ? { text: '', length: held.length, isCut: true }
    : { text: '', length, isCut: false };
}
