/** Text in one font on one line. Coordinates are in points and rotated, so that the text runs along the x axis. */
export interface PdfRun {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** Baseline in points. Greater values are higher on the page. */
  readonly y: number;
  /** Font size in points. */
  readonly size: number;
  /** Identifies a font within the document. */
  readonly font: string;
  readonly isRightToLeft: boolean;
}
