/** Answers of about the same confidence. */
export interface AnswerCount {
  /** Mean confidence, 0 to 1. */
  readonly confidence: number;
  readonly answers: number;
  readonly accepted: number;
}

/** Share of accepted answers according to a map, and its 95 % interval. */
export interface MappedConfidence {
  readonly accepted: number;
  readonly low: number;
  readonly high: number;
}
