/** A part of an answer inside the output filter: text, a citation marker or a link. */
export type AnswerSegment = TextSegment | MarkerSegment | LinkSegment;

export interface TextSegment {
  readonly type: 'text';
  readonly text: string;
  /**
   * Set inside code spans and fenced blocks. `certain`: all Markdown renderers treat the text as code. `likely`: some
   * of them do.
   */
  readonly code?: 'certain' | 'likely';
}

export interface MarkerSegment {
  readonly type: 'marker';
  /** For example ` [1][2]`, including leading spaces. */
  readonly text: string;
  /** Source numbers, from 1. All of them are within range. */
  readonly numbers: readonly number[];
}

/**
 * A URL or link target that a source contains. The output contains it only in fenced code, or if such a source is cited
 * nearby.
 */
export interface LinkSegment {
  readonly type: 'link';
  readonly text: string;
  /** Text to output instead if none of `sources` is cited nearby. */
  readonly otherwise: string;
  /** Numbers of the sources that contain the URL, from 1. */
  readonly sources: readonly number[];
  /** True inside a fenced block. */
  readonly isInCode?: boolean;
}

/** A streaming filter for answer segments. Works like `TextFilter`, which is for text. */
export interface SegmentFilter {
  push(segments: readonly AnswerSegment[]): AnswerSegment[];
  flush(): AnswerSegment[];
}

export function textSegment(text: string): TextSegment {
  return { type: 'text', text };
}
