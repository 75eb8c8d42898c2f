import type { TextSegment } from './answer-segment.ts';

/** A part of an answer: text, or a citation marker. */
export type ScannedSegment =
  | TextSegment
  | {
      readonly type: 'marker';
      /** The distinct numbers in the marker, including those to which no source belongs. */
      readonly numbers: readonly number[];
      /** The original text, including leading spaces. */
      readonly raw: string;
      readonly isAtLineStart: boolean;
    };

/** Position of the scanner in the Markdown structure of an answer. */
export interface ScanState {
  /** Number of backticks that opened the current code, or 0 outside of code. */
  readonly code: number;
  readonly isFenced: boolean;
  /** True if every CommonMark renderer treats the current code as code. */
  readonly isCertain: boolean;
  /** Columns before the open fence. */
  readonly fenceIndent: number;
  /** True if the line contains no visible output yet. */
  readonly isAtLineStart: boolean;
  /** True if the line consists of white space so far. */
  readonly isBlank: boolean;
  /** Columns of leading white space, while the line `isBlank`. */
  readonly indent: number;
  /** The paragraph contains backticks without closing backticks in their line. */
  readonly hasLoneTicks: boolean;
  /** From here on, renderers may disagree where fenced blocks begin and end. */
  readonly isFenceUnsure: boolean;
}

export const initialState: ScanState = {
  code: 0,
  isFenced: false,
  isCertain: false,
  fenceIndent: 0,
  isAtLineStart: true,
  isBlank: true,
  indent: 0,
  hasLoneTicks: false,
  isFenceUnsure: false,
};

/** One step of the scanner: the next segment, its length in the input and the state after it. */
export interface ScanStep {
  readonly segment: ScannedSegment;
  readonly length: number;
  readonly state: ScanState;
}

export function plainTextStep(
  run: string,
  state: ScanState,
  isCertain: boolean | null = null,
): ScanStep {
  const code = isCertain === null ? {} : ({ code: isCertain ? 'certain' : 'likely' } as const);
  return { segment: { type: 'text', text: run, ...code }, length: run.length, state };
}

export function stateAfterInlineText(state: ScanState): ScanState {
  return { ...state, isAtLineStart: false, isBlank: false };
}

/** Returns the state after the text `run`, which contains no line break. A tab counts as four columns. */
export function stateAfterText(state: ScanState, run: string): ScanState {
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
