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
 * Holds back an unfinished bracket, a run of backticks, and the spaces that may stand before a marker.
 */
export function markerScanner(): MarkerScanner {
  let held = '';
  let state: ScanState = { code: 0, isFenced: false, isAtLineStart: true };
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
  readonly isAtLineStart: boolean;
}

interface Found {
  readonly piece: Piece;
  readonly length: number;
  readonly state: ScanState;
}

function nextPiece(held: string, state: ScanState, isComplete: boolean): Found | null {
  const [ticks = ''] = /^`+/.exec(held) ?? [];
  if (ticks !== '') {
    const isRunOpen = ticks === held && ticks.length < maxTicks && !isComplete;
    return isRunOpen ? null : text(ticks, afterTicks(state, ticks.length));
  }
  if (held.startsWith('\n')) {
    const code = state.isFenced ? state.code : 0;
    return text('\n', { ...state, code, isAtLineStart: true });
  }
  if (held.startsWith('\\')) {
    const escaped = held.slice(0, 2);
    return escaped.length < 2 && !isComplete ? null : text(escaped, inLine(state));
  }
  return state.code > 0 ? codeText(held, state) : proseText(held, state, isComplete);
}

/** A longer run of backticks is cut: no code is fenced with so many. */
const maxTicks = 16;

function afterTicks(state: ScanState, count: number): ScanState {
  const isFence = state.isAtLineStart && count >= 3;
  if (state.code === 0) {
    return { code: count, isFenced: isFence, isAtLineStart: false };
  }
  const isClosed = state.isFenced ? isFence && count >= state.code : count === state.code;
  return {
    code: isClosed ? 0 : state.code,
    isFenced: !isClosed && state.isFenced,
    isAtLineStart: false,
  };
}

function codeText(held: string, state: ScanState): Found {
  const [run = held] = /^[^\n`\\]+/u.exec(held) ?? [];
  const isAtLineStart = state.isAtLineStart && run.trim() === '';
  return text(run, { ...state, isAtLineStart }, true);
}

function proseText(held: string, state: ScanState, isComplete: boolean): Found | null {
  const [spaces = ''] = /^[^\S\n]*/u.exec(held) ?? [];
  const rest = held.slice(spaces.length);
  if (rest === '') {
    return isComplete || spaces.length > maxSpaces ? text(spaces, state) : null;
  }
  if (!/^[[［【]/u.test(rest)) {
    const [run = ''] = /^[^\s[［【`\\]*/u.exec(rest) ?? [];
    return text(spaces + run, run === '' ? state : inLine(state));
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
  return { piece: { type: 'marker', numbers, raw, isAtLineStart }, length, state };
}

const maxSpaces = 16;

function text(run: string, state: ScanState, isCode = false): Found {
  return { piece: { type: 'text', text: run, isCode }, length: run.length, state };
}

function inLine(state: ScanState): ScanState {
  return { ...state, isAtLineStart: false };
}
