import type { ConfidenceFeatures } from '../../src/domain/chat/evidence/confidence-features.ts';
import type { ConfidenceWeights } from '../../src/domain/chat/evidence/confidence-weights.ts';
import type { ConfidenceExample } from './confidence-examples.ts';
import { fitLogisticRegression, type TrainingExample } from './logistic-regression.ts';

/** Weight of a synthetic question. A question of the evaluation sets has the weight 1. */
const syntheticWeight = 0.1;
/**
 * Weight of a question whose language differs from that of its document. The found passages seldom answer such
 * questions.
 */
const crossLanguageWeight = 0.3;
/**
 * Maximum total weight of the unanswerable questions, as a share of the questions in the set. Sets that are written to
 * mislead contain more of them than real users ask.
 */
const maxUnanswerableShare = 0.25;

/**
 * Ridge penalty. It is small because the weights of all examples add up to their number, and the bounds already limit
 * the coefficients.
 */
const ridge = 0.1;

/** Required sign of each coefficient, in the order of `toFeatureVector`: 1 positive, -1 negative, 0 any. */
const signs = [1, 1, 1, -1, -1, 1, -1, -1, -1, 0];
/**
 * Minimum absolute value of each coefficient, chosen by hand. The aim: words that are far apart, and a missing name,
 * number, fact or negation always lower the confidence. The labelled questions are worded too freely to show this.
 */
const minimums = [0, 0, 0.9, 0.3, 0, 0.4, 0.6, 0.3, 0.3, 0];

export function toFeatureVector(features: ConfidenceFeatures): number[] {
  const { similarity, coverage, vocabularyCoverage } = features;
  return [
    similarity * vocabularyCoverage,
    coverage * (1 - vocabularyCoverage),
    features.proximity,
    features.missingTerms,
    features.missingMeaning,
    features.rarestTerm,
    features.missingNumbers,
    features.missingFact,
    features.negationMismatch,
    features.foreignLanguage,
  ];
}

/** Returns the intercept, followed by the coefficients. All sets have the same total weight. */
export function fitWeights(examples: readonly ConfidenceExample[]): number[] {
  const sets = new Map(
    [...new Set(examples.map(({ set }) => set))].map((name) => {
      const own = examples.filter(({ set }) => set === name);
      const asked = own.filter(({ kind }) => kind === 'asked');
      const answerable = asked.filter(({ isAnswerable }) => isAnswerable).length;
      const share = maxUnanswerableShare / (1 - maxUnanswerableShare);
      const unanswerable = Math.max(1, asked.length - answerable);
      return [name, { size: own.length, weight: Math.min(1, (share * answerable) / unanswerable) }];
    }),
  );
  const weighted = examples.map((example): TrainingExample => {
    const { size, weight } = sets.get(example.set) ?? { size: 1, weight: 1 };
    const own = example.kind !== 'asked' ? syntheticWeight : example.isAnswerable ? 1 : weight;
    const language = example.lang.includes('->') ? crossLanguageWeight : 1;
    return {
      features: toFeatureVector(example.features).map((value, index) =>
        signs[index] === -1 ? -value : value,
      ),
      isTrue: example.isAnswerable,
      weight: (own * language * examples.length) / (sets.size * size * ridge),
    };
  });
  const bounds = signs.map((sign, index) =>
    sign === 0 ? Number.NEGATIVE_INFINITY : (minimums[index] ?? 0),
  );
  const [intercept = 0, ...coefficients] = fitLogisticRegression(weighted, bounds);
  return [intercept, ...coefficients.map((value, index) => (signs[index] === -1 ? -value : value))];
}

export function toConfidenceWeights(
  fitted: readonly number[],
): Omit<ConfidenceWeights, 'answerThreshold' | 'reading' | 'choice'> {
  const at = (index: number) => Number((fitted[index] ?? 0).toFixed(2));
  return {
    intercept: at(0),
    inVocabulary: { similarity: at(1), coverage: 0 },
    outOfVocabulary: { similarity: 0, coverage: at(2) },
    proximity: at(3),
    missingTerms: at(4),
    missingMeaning: at(5),
    rarestTerm: at(6),
    missingNumbers: at(7),
    missingFact: at(8),
    negationMismatch: at(9),
    foreignLanguage: at(10),
  };
}
