/** What the features of a question weigh, as logarithms of odds. */
export interface ConfidenceWeights {
  readonly constant: number;
  /** Where the embedding model knows the words of the question; between the two it is interpolated. */
  readonly known: EvidenceWeights;
  readonly unknown: EvidenceWeights;
  readonly lead: number;
  readonly missingNames: number;
  /** Below this confidence "I don't know" is the answer. */
  readonly minAnswerable: number;
}

export interface EvidenceWeights {
  readonly lexical: number;
  readonly similarity: number;
  readonly coverage: number;
}

/**
 * By the embedding model they were fitted with, as every model spreads its cosines differently. Made by `npm run
 * eval:fit`; how, and what they are worth, is in docs/quality.md.
 */
const fitted: Readonly<Record<string, ConfidenceWeights>> = {
  'built-in/all-MiniLM-L6-v2': {
    constant: -1.46,
    known: { lexical: 1, similarity: 2.71, coverage: 0 },
    unknown: { lexical: 2.24, similarity: 0, coverage: 4.54 },
    lead: 1.25,
    missingNames: -1.9,
    minAnswerable: 0.42,
  },
};

/** For a model nobody has fitted: words and cosines count alike. An order rather than a probability. */
const balanced = { lexical: 2.3, similarity: 3.4, coverage: 2.6 };
const unfitted: ConfidenceWeights = {
  constant: -3.2,
  known: balanced,
  unknown: balanced,
  lead: 1.9,
  missingNames: -2.8,
  minAnswerable: 0.3,
};

const words = { lexical: 2.3, similarity: 0, coverage: 3.1 };
const withoutVectors: ConfidenceWeights = {
  constant: -1.7,
  known: words,
  unknown: words,
  lead: 1.7,
  missingNames: -2.9,
  minAnswerable: 0.3,
};

/** The weights for a model, or for full text alone where there is none. */
export function confidenceWeights(embeddingModel: string | null): ConfidenceWeights {
  if (embeddingModel === null) return withoutVectors;
  return fitted[embeddingModel] ?? unfitted;
}
