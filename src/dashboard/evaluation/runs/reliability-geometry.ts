/** Questions of about the same confidence. Confidence and shares are 0 to 1. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  /** Number of questions. */
  readonly n: number;
  readonly meanConfidence: number;
  /** Share of questions that the documents answer. */
  readonly right: number;
}

/** Size of the diagram and its margins, in pixels. */
export interface DiagramSize {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface ReliabilityBar {
  readonly bin: ReliabilityBin;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Place of the count: centered above the bar. */
  readonly label: { readonly x: number; readonly y: number };
}

/** Space between two bars, and between a bar and its count, in pixels. */
const gap = 2;
const labelGap = 4;

/** Computes a reliability diagram: confidence to the right, share of answerable questions upwards, both 0 to 1. */
export function reliabilityGeometry(bins: readonly ReliabilityBin[], size: DiagramSize) {
  const { width, height, left, right, top, bottom } = size;
  const x = (confidence: number) => left + confidence * Math.max(0, width - left - right);
  const y = (share: number) => top + (1 - share) * Math.max(0, height - top - bottom);
  const bars = bins.map((bin): ReliabilityBar => {
    const start = x(bin.from);
    const barTop = y(bin.right);
    return {
      bin,
      x: start + gap / 2,
      y: barTop,
      width: Math.max(1, x(bin.to) - start - gap),
      height: y(0) - barTop,
      label: { x: (start + x(bin.to)) / 2, y: barTop - labelGap },
    };
  });
  return { x, y, bars, diagonal: { x1: x(0), y1: y(0), x2: x(1), y2: y(1) } };
}
