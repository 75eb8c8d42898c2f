import { lettersOf } from './letters.ts';
import type { TextFilter } from './text-filter.ts';

export interface ConfidentialText {
  /** No run goes on from one to the next. */
  readonly parts: readonly string[];
  /** How many letters of a run may be shown before the rest of it is held back. */
  readonly shownLetters: number;
}

export interface DisclosureFilter extends TextFilter {
  /** The answer was ended because it repeated what is confidential. */
  readonly isDisclosed: boolean;
}

/**
 * Ends an answer that repeats a run of 40 letters of a confidential text, however it is spelled (`lettersOf`), and puts
 * `replacement` in place of the run and all that follows. Of a text with fewer letters the run is all of it, if these
 * are 24 at least; Chinese and Japanese ones count as three. Of the run no more comes out than its `shownLetters`: text is
 * held back as long as it goes on like one. What stands in `known` as well may be said.
 */
export function createDisclosureFilter(input: {
  readonly confidential: readonly ConfidentialText[];
  readonly known: readonly string[];
  readonly replacement: string;
}): DisclosureFilter {
  const runs = input.confidential.map(({ parts }) => runsOf(parts));
  const matches = runs.map(() => '');
  let known: string | null = null;
  const isKnown = (letters: string): boolean => {
    known ??= input.known.map(lettersOf).join(' ');
    return known.includes(letters);
  };

  /** What was read and not shown: begins with a letter of a match, if it holds anything. */
  let held = '';
  /** Where in `held` its letters begin; a ligature has several in one place. */
  let places: number[] = [];
  let isDisclosed = false;
  let isBegun = false;
  let isInWord = false;

  const show = (text: string): string => {
    isBegun ||= text.trim() !== '';
    isInWord = text === '' ? isInWord : /\p{L}$/u.test(text);
    return text;
  };
  const releaseAllBut = (count: number): string => {
    const start = count === 0 ? held.length : (places.at(-count) ?? 0);
    const text = held.slice(0, start);
    held = held.slice(start);
    places = count === 0 ? [] : places.slice(-count).map((place) => place - start);
    return show(text);
  };
  const isRun = (letter: string): boolean => {
    let isOver = false;
    for (const [index, { windows, length }] of runs.entries()) {
      const match = longestBegun(windows, `${matches[index]}${letter}`);
      const isWhole = match !== '' && match.length === length;
      isOver ||= isWhole && !isKnown(match);
      matches[index] = isWhole ? match.slice(1) : match;
    }
    return isOver;
  };
  const read = (character: string): string => {
    const place = held.length;
    held += character;
    for (const letter of letterOf(character)) {
      places.push(place);
      if (isRun(letter)) {
        isDisclosed = true;
        // The last letters of a word before the run can be like those before it in the text.
        const [rest = ''] = isInWord ? (wordEnd.exec(held) ?? []) : [];
        return `${rest}${isBegun ? '\n\n' : ''}${input.replacement}`;
      }
    }
    const counts = input.confidential.map(({ shownLetters }, index) => {
      const { length } = matches[index] ?? '';
      return length > shownLetters ? length : 0;
    });
    const count = Math.max(0, ...counts);
    if (held.length <= maxGap + maxSpread * count) return releaseAllBut(count);
    matches.fill('');
    return releaseAllBut(0);
  };
  return {
    get isDisclosed() {
      return isDisclosed;
    },
    push(text) {
      let shown = '';
      for (const character of text) {
        if (isDisclosed) break;
        shown += read(character);
      }
      return shown;
    },
    flush: () => (isDisclosed ? '' : releaseAllBut(0)),
  };
}

const wordEnd = /^\p{L}{1,8}(?!\p{L})/u;

/** UTF-16 units that a run may take: so many for each of its letters on average, and once what a table's line has. */
const maxSpread = 10;
const maxGap = 24;

const runLength = 40;
const minRunLength = 24;

interface Runs {
  /** All runs of the text, sorted. */
  readonly windows: readonly string[];
  readonly length: number;
}

/** Our own rules are the same in every answer. */
const readRuns = new WeakMap<readonly string[], Runs>();

function runsOf(parts: readonly string[]): Runs {
  const runs = readRuns.get(parts) ?? readRunsOf(parts);
  readRuns.set(parts, runs);
  return runs;
}

function readRunsOf(parts: readonly string[]): Runs {
  const texts = parts.map(lettersOf);
  const all = texts.join('');
  const dense = all.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const weight = all === '' ? 1 : (all.length + 2 * dense) / all.length;
  const least = Math.min(runLength, Math.max(minRunLength, Math.floor(all.length * weight)));
  const length = Math.ceil(least / weight);
  const windows = texts.flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
      text.slice(start, start + length),
    ),
  );
  return { windows: windows.sort(), length };
}

/** As `lettersOf`, quicker for most. */
function letterOf(character: string): string {
  if (character > '\u007f') return lettersOf(character);
  return /[a-z]/i.test(character) ? character.toLowerCase() : '';
}

/** The longest end of `letters` with which one of the windows begins. */
function longestBegun(windows: readonly string[], letters: string): string {
  let rest = letters;
  while (rest !== '' && !firstFrom(windows, rest).startsWith(rest)) rest = rest.slice(1);
  return rest;
}

/** The first of sorted `windows` that does not come before `letters`, or ''. */
function firstFrom(windows: readonly string[], letters: string): string {
  let from = 0;
  let to = windows.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((windows[middle] ?? '') < letters) from = middle + 1;
    else to = middle;
  }
  return windows[from] ?? '';
}
