/** A part of an answer on its way through the output filter: text, a citation marker or a link. */
export type AnswerSegment = TextSegment | MarkerSegment | LinkSegment;

export interface TextSegment {
  readonly type: 'text';
  readonly text: string;
  /**
   * Set inside code spans and fenced blocks. `certain`: every Markdown renderer treats the text as code; `likely`: some
   * do.
   */
  readonly code?: 'certain' | 'likely';
}

export interface MarkerSegment {
  readonly type: 'marker';
  /** Such as ` [1][2]`, including leading spaces. */
  readonly text: string;
  /** Source numbers, from 1, all within range. */
  readonly numbers: readonly number[];
}

/** A URL or link target that a source contains. It is output in fenced code, or if such a source is cited nearby. */
export interface LinkSegment {
  readonly type: 'link';
  readonly text: string;
  /** Replacement text if none of `sources` is cited nearby. */
  readonly otherwise: string;
  /** Numbers of the sources that contain the URL, from 1. */
  readonly sources: readonly number[];
  /** True inside a fenced block. */
  readonly isInCode?: boolean;
}

/** A streaming filter for answer segments. Works like `TextFilter`, which filters text. */
export interface SegmentFilter {
  push(segments: readonly AnswerSegment[]): AnswerSegment[];
  flush(): AnswerSegment[];
}

export function textSegment(text: string): TextSegment {
  return { type: 'text', text };
}
