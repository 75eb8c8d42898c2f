import type { TextSegment } from './answer-segment.ts';

/** A part of an answer: either text or a citation marker. */
export type ScannedSegment =
  | TextSegment
  | {
      readonly type: 'marker';
      /** The distinct numbers in the marker, including numbers without a source. */
      readonly numbers: readonly number[];
      /** The original text, including leading spaces. */
      readonly raw: string;
      readonly isAtLineStart: boolean;
    };

/** State of the scanner within the Markdown structure of an answer. */
export interface ScanState {
  /** Number of backticks that opened the current code, or 0 outside of code. */
  readonly code: number;
  readonly isFenced: boolean;
  /** True if all CommonMark renderers treat the current code as code. */
  readonly isCertain: boolean;
  /** Number of columns before the open fence. */
  readonly fenceIndent: number;
  /** True as long as the line contains no visible output. */
  readonly isAtLineStart: boolean;
  /** True as long as the line contains only white space. */
  readonly isBlank: boolean;
  /** Number of columns of leading white space. Only valid while `isBlank`. */
  readonly indent: number;
  /** True if a line of the paragraph contains backticks but not their closing backticks. */
  readonly hasLoneTicks: boolean;
  /** True if, from here on, renderers may disagree where fenced blocks begin and end. */
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

/** The result of one step of the scanner: the next segment, its length in the input, and the new state. */
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
