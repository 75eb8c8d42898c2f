import type { TextPiece } from './answer-piece.ts';
import { readBracket } from './marker-syntax.ts';

/** A stretch of an answer. */
export type Piece =
  | TextPiece
  | {
      readonly type: 'marker';
      /** The numbers written, in or out of range, each once. */
      readonly numbers: readonly number[];
      /** What was written, with the spaces in front. */
      readonly raw: string;
      readonly isAtLineStart: boolean;
    };

export interface MarkerScanner {
  push(text: string): Piece[];
  /** What was held back, as something other than text follows in the line. */
  interrupt(): Piece[];
  flush(): Piece[];
}

/**
 * Finds citation markers in a text that arrives in pieces. Brackets in code are left alone: in code spans
 * up to the end of their line, so that a lone backtick does harm to one line at most, and in fenced blocks.
 * Holds back an unfinished bracket, a code span's beginning up to its end in the line, a fence up to the end of its
 * line, and the spaces that may stand before a marker.
 *
 * Code is `certain` where every reader of CommonMark takes it for code, whatever stands around it; in all else that may
 * be code HTML may be live. https://spec.commonmark.org/0.31.2/#code-spans, #fenced-code-blocks
 */
export function markerScanner(): MarkerScanner {
  let held = '';
  let state: ScanState = start;
  const scan = (isComplete: boolean): Piece[] => {
    const pieces: Piece[] = [];
    while (held !== '') {
      const found = nextPiece(held, state, isComplete);
      if (found === null) {
        break;
      }
      pieces.push(found.piece);
      held = held.slice(found.length);
      state = found.state;
    }
    return pieces;
  };
  return {
    push(text) {
      held += text;
      return scan(false);
    },
    interrupt() {
      const pieces = scan(true);
      state = inLine(state);
      return pieces;
    },
    flush: () => scan(true),
  };
}

interface ScanState {
  /** Backticks that opened the code we are in, or 0. */
  readonly code: number;
  readonly isFenced: boolean;
  readonly isCertain: boolean;
  /** Columns in front of the fence that is open. */
  readonly fenceIndent: number;
  /** Nothing that will be shown stands in the line so far. */
  readonly isAtLineStart: boolean;
  /** Nothing but white space stands in the line so far. */
  readonly isBlank: boolean;
  /** Columns of white space the line begins with, while it `isBlank`. */
  readonly indent: number;
  /** In the paragraph stands what may be a tag, or backticks that open nothing in their line. */
  readonly hasTag: boolean;
  readonly hasLoneTicks: boolean;
  /** Readers may disagree from here on where fenced blocks begin and end. */
  readonly isFenceUnsure: boolean;
}

const start: ScanState = {
  code: 0,
  isFenced: false,
  isCertain: false,
  fenceIndent: 0,
  isAtLineStart: true,
  isBlank: true,
  indent: 0,
  hasTag: false,
  hasLoneTicks: false,
  isFenceUnsure: false,
};

interface Found {
  readonly piece: Piece;
  readonly length: number;
  readonly state: ScanState;
}

function nextPiece(held: string, state: ScanState, isComplete: boolean): Found | null {
  const [ticks = ''] = /^`+/.exec(held) ?? [];
  if (ticks !== '') {
    const isRunOpen = ticks === held && ticks.length < maxTicks && !isComplete;
    return isRunOpen ? null : readTicks(held, ticks, state, isComplete);
  }
  if (held.startsWith('\n')) {
    const { code, isFenced, isBlank, hasTag, hasLoneTicks } = state;
    return text('\n', {
      ...state,
      code: isFenced ? code : 0,
      isAtLineStart: true,
      isBlank: true,
      indent: 0,
      hasTag: hasTag && !isBlank,
      hasLoneTicks: hasLoneTicks && !isBlank,
    });
  }
  if (state.code > 0) {
    return codeText(held, state, isComplete);
  }
  if (held.startsWith('\\')) {
    const escaped = held.slice(0, 2);
    return escaped.length < 2 && !isComplete ? null : text(escaped, inLine(state));
  }
  return proseText(held, state, isComplete);
}

/** A longer run of backticks is cut: no code is fenced with so many. */
const maxTicks = 16;

function readTicks(
  held: string,
  ticks: string,
  state: ScanState,
  isComplete: boolean,
): Found | null {
  const rest = held.slice(ticks.length);
  if (state.isFenced) return readFenceEnd(ticks, rest, state, isComplete);
  if (state.code === 0) return readOpening(ticks, rest, state, isComplete);
  const isClosed = ticks.length === state.code;
  return text(ticks, { ...inLine(state), code: isClosed ? 0 : state.code });
}

/** Of a line that is looked at before it is decided what its backticks begin, in UTF-16 units. */
const maxLookahead = 500;

/** Backticks outside of code: the fence of a block, the beginning of a code span that ends in its line, or neither. */
function readOpening(
  ticks: string,
  rest: string,
  state: ScanState,
  isComplete: boolean,
): Found | null {
  const { length: code } = ticks;
  const [line = ''] = /^[^\n]*/.exec(rest) ?? [];
  const isLineWhole = line.length < rest.length;
  const mayBeFence = code >= 3 && mayOpenFence(state) && !line.includes('`');
  const closing = closingTicks(line, code);
  const isOpen = closing === -1 || closing + code === rest.length || mayBeFence;
  if (isOpen && !isLineWhole && !isComplete && rest.length <= maxLookahead) return null;
  const opened = { ...inLine(state), code };
  if (mayBeFence && isLineWhole) {
    return text(ticks, { ...opened, isFenced: true, isCertain: true, fenceIndent: state.indent });
  }
  if (closing === -1) {
    const isFenceUnsure = state.isFenceUnsure || code >= 3;
    return text(ticks, { ...opened, isCertain: false, hasLoneTicks: true, isFenceUnsure });
  }
  const inside = line.slice(0, closing);
  // In a table the bar would end the cell, and the code with it.
  const isCell = inside.includes('|') && inside.includes('<');
  return text(ticks, { ...opened, isCertain: !state.hasTag && !state.hasLoneTicks && !isCell });
}

/** Where a run of exactly so many backticks stands, or -1. */
function closingTicks(line: string, count: number): number {
  for (const { 0: run, index } of line.matchAll(/`+/g)) if (run.length === count) return index;
  return -1;
}

/** An HTML block that a tag may have begun holds no fences; a deeper one may belong to a paragraph. */
function mayOpenFence({ isBlank, indent, hasTag, isFenceUnsure }: ScanState): boolean {
  return isBlank && indent <= 3 && !hasTag && !isFenceUnsure;
}

function readFenceEnd(
  ticks: string,
  rest: string,
  state: ScanState,
  isComplete: boolean,
): Found | null {
  const mayEnd = state.isBlank && state.indent <= 3 && ticks.length >= state.code;
  const [, end] = /^[^\S\n]*(\S|\n)?/.exec(rest) ?? [];
  if (mayEnd && end === undefined && !isComplete && rest.length <= maxLookahead) return null;
  const isEnd = mayEnd && (end === '\n' || (end === undefined && isComplete));
  return isEnd
    ? text(ticks, { ...inLine(state), code: 0, isFenced: false })
    : text(ticks, inLine(state), state.isCertain);
}

function codeText(held: string, state: ScanState, isComplete: boolean): Found | null {
  const [run = ''] = /^[^\n`]+/u.exec(held) ?? [];
  const next = afterSpaces(state, run);
  // What stands less far in than its fence has left the list which the fence is in.
  if (state.isFenced && !next.isBlank && state.isBlank && next.indent < state.fenceIndent) {
    const left = { ...state, code: 0, isFenced: false, isFenceUnsure: true };
    return nextPiece(held, left, isComplete);
  }
  return text(run, next, state.isCertain);
}

function proseText(held: string, state: ScanState, isComplete: boolean): Found | null {
  const [spaces = ''] = /^[^\S\n]*/u.exec(held) ?? [];
  const rest = held.slice(spaces.length);
  if (rest === '') {
    return isComplete || spaces.length > maxSpaces
      ? text(spaces, afterSpaces(state, spaces))
      : null;
  }
  if (!/^[[［【]/u.test(rest)) {
    return proseRun(spaces, rest, state, isComplete);
  }
  const bracket = readBracket(rest, isComplete);
  if (bracket === null) {
    return null;
  }
  if (bracket.type === 'other') {
    return text(spaces + rest.slice(0, 1), inLine(state));
  }
  const length = spaces.length + bracket.length;
  if (bracket.type === 'number') {
    return { ...text(`${spaces}(${bracket.digits})`, inLine(state)), length };
  }
  const raw = held.slice(0, length);
  const { numbers } = bracket;
  const { isAtLineStart } = state;
  const piece = { type: 'marker', numbers, raw, isAtLineStart } as const;
  return { piece, length, state: { ...state, isBlank: false } };
}

function proseRun(
  spaces: string,
  rest: string,
  state: ScanState,
  isComplete: boolean,
): Found | null {
  const [all = ''] = /^[^\s[［【`\\]*/u.exec(rest) ?? [];
  if (all === '') return text(spaces, afterSpaces(state, spaces));
  // Three tildes are a fence as well.
  const isOpen = all.length === rest.length && !isComplete;
  const run = isOpen ? all.replace(/(?<!~)~{1,2}$/, '') : all;
  if (run === '') return null;
  const after = rest.slice(run.length);
  const hasTag = /<[a-z/!?]/i.test(run) || (run.endsWith('<') && !/^\s/.test(after));
  return text(spaces + run, {
    ...inLine(state),
    hasTag: state.hasTag || hasTag,
    isFenceUnsure: state.isFenceUnsure || run.includes('~~~'),
  });
}

const maxSpaces = 16;

function text(run: string, state: ScanState, isCertain: boolean | null = null): Found {
  const code = isCertain === null ? {} : ({ code: isCertain ? 'certain' : 'likely' } as const);
  return { piece: { type: 'text', text: run, ...code }, length: run.length, state };
}

function inLine(state: ScanState): ScanState {
  return { ...state, isAtLineStart: false, isBlank: false };
}

/** After `run`, which may be white space alone. A tab is counted as four columns. */
function afterSpaces(state: ScanState, run: string): ScanState {
  const [spaces = ''] = /^\s*/u.exec(run) ?? [];
  const width = [...spaces].reduce((sum, space) => sum + (space === '\t' ? 4 : 1), 0);
  const isSpace = spaces.length === run.length;
  return {
    ...state,
    isAtLineStart: state.isAtLineStart && isSpace,
    isBlank: state.isBlank && isSpace,
    indent: state.isBlank ? state.indent + width : state.indent,
  };
}
