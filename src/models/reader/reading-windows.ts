/** Token ids of a question and of some texts of one passage. The answer reader reads them together. */
export interface ReadingWindow {
  readonly question: readonly number[];
  readonly texts: readonly (readonly number[])[];
}

/** Limits in tokens. The windows for training had the same limits. */
const maxQuestionTokens = 32;
const maxTextTokens = 64;
const maxWindowTokens = 92;

/** Ids of special tokens in BERT's vocabulary. */
const unknown = 100;
const start = 101;
const separator = 102;

/**
 * Splits the texts of a passage into windows of neighboring texts, and keeps their order. Questions and texts that are
 * too long are cut. Each text is in exactly one window. An empty text is read as an unknown word.
 */
export function readingWindows(
  question: readonly number[],
  texts: readonly (readonly number[])[],
): ReadingWindow[] {
  const windows: number[][][] = [];
  let tokens = Infinity;
  for (const text of texts) {
    const cut = text.length === 0 ? [unknown] : text.slice(0, maxTextTokens);
    tokens += cut.length + 1;
    if (tokens > maxWindowTokens) {
      windows.push([]);
      tokens = cut.length + 1;
    }
    windows.at(-1)?.push(cut);
  }
  const asked = question.slice(0, maxQuestionTokens);
  return windows.map((window) => ({ question: asked, texts: window }));
}

/** A window in the form that the model reads: `[CLS] question [SEP] text [SEP] text [SEP] …`. */
export interface WindowTokens {
  readonly ids: readonly number[];
  /** For each token: 0 until the end of the question, then 1. */
  readonly segments: readonly number[];
  /** For each token: 1 if it belongs to the question. */
  readonly questionMask: readonly number[];
  /** For each text, for each token: 1 if the token belongs to the text. */
  readonly textMasks: readonly (readonly number[])[];
  /** For each text: index of the separator after it. */
  readonly separators: readonly number[];
}

export function windowTokens({ question, texts }: ReadingWindow): WindowTokens {
  const head = [start, ...question, separator];
  const ids = [...head, ...texts.flatMap((text) => [...text, separator])];
  let end = head.length - 1;
  const separators = texts.map((text) => {
    end += text.length + 1;
    return end;
  });
  const rangeMask = (from: number, to: number) =>
    ids.map((_, index) => Number(index >= from && index < to));
  return {
    ids,
    segments: rangeMask(head.length, ids.length),
    questionMask: rangeMask(1, head.length - 1),
    textMasks: texts.map((text, index) => {
      const to = separators[index] ?? 0;
      return rangeMask(to - text.length, to);
    }),
    separators,
  };
}
