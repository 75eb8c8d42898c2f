/** A stretch of an answer on its way from the model to the reader. */
export type AnswerPiece = TextPiece | MarkerPiece | LinkPiece;

export interface TextPiece {
  readonly type: 'text';
  readonly text: string;
  /** In a code span or a fenced block: for every reader of Markdown, or for some. */
  readonly code?: 'certain' | 'likely';
}

export interface MarkerPiece {
  readonly type: 'marker';
  /** Such as ` [1][2]`, with the spaces in front. */
  readonly text: string;
  /** Numbers of sources that were given, from 1. */
  readonly numbers: readonly number[];
}

/** An address that stands in a source: to be shown where this source is cited. */
export interface LinkPiece {
  readonly type: 'link';
  readonly text: string;
  /** What is shown in its place where none of `sources` is cited. */
  readonly otherwise: string;
  /** Numbers of the sources that hold it, from 1. */
  readonly sources: readonly number[];
}

/** Like `TextFilter`, of pieces. */
export interface PieceFilter {
  push(pieces: readonly AnswerPiece[]): AnswerPiece[];
  flush(): AnswerPiece[];
}

/** Where something was taken out: what stands before it and behind it is not to be read as one. */
export const gap: TextPiece = { type: 'text', text: '' };

export function textPiece(text: string): TextPiece {
  return { type: 'text', text };
}
