import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ConfidenceFeatures } from '../../src/domain/chat/evidence/confidence-features.ts';
import {
  type ConfidenceExample,
  confidenceExamples,
  type SetWithDocuments,
} from './confidence-examples.ts';
import { readSets } from './dataset.ts';
import { loadSet } from './evaluate-question.ts';
import { logProgress, withEvaluation } from './evaluation-context.ts';
import { fitLogisticRegression, predict, type TrainingExample } from './logistic-regression.ts';
import { auroc, calibrationError, mean, reliabilityBins } from './statistics.ts';

const usage = `npm run eval:fit -- --data DIR [--sets A,B] [--database URL] [--keep DIR]

Fits the weights of confidence for the embedding model in service to labelled questions, prints them as they stand in
src/domain/chat/evidence/confidence-weights.ts, and what they are worth: on the questions they were fitted to, and on each set
with weights fitted to the others.`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    database: { type: 'string' },
    keep: { type: 'string' },
  },
});
/** Weight of a synthetic question. A question from the evaluation set has the weight 1. */
const syntheticWeight = 0.3;

/**
 * Lower bounds of the coefficients, in the order of `toFeatureVector`. Only missing entities may lower confidence. The
 * lexical score keeps a weight of at least 1 even if the model knows all words. Queries for a code or name depend on
 * it, but the sets contain only full-sentence questions.
 */
const lowerBounds = [1, 0, 0, 0, 0, 0, 0, Number.NEGATIVE_INFINITY];

if (values.data === undefined) process.stdout.write(`${usage}\n`);
else await main(values.data);

async function main(directory: string): Promise<void> {
  const sets = await readSets(resolve(directory), values.sets?.split(',') ?? null);
  const examples = await withEvaluation(values, async (context, organizationId) => {
    const loaded: SetWithDocuments[] = [];
    for (const set of sets) {
      loaded.push({ set, loaded: await loadSet(context, organizationId, set) });
    }
    const found: ConfidenceExample[] = [];
    for await (const example of confidenceExamples(context, loaded)) found.push(example);
    return found;
  });
  logProgress(`${examples.length} examples`);
  const all = fitWeights(examples);
  printReport('fitted to all sets', examples, () => all);
  const others = new Map(
    sets.map(({ name }) => [name, fitWeights(examples.filter(({ set }) => set !== name))]),
  );
  printReport('each set by the others', examples, (set) => others.get(set) ?? all);
  process.stdout.write(`\n${JSON.stringify(toConfidenceWeights(all), null, 2)}\n`);
}

function toFeatureVector(features: ConfidenceFeatures): number[] {
  const { lexical, similarity, coverage, vocabularyCoverage, scoreMargin, missingEntities } =
    features;
  const evidence = [lexical, similarity, coverage];
  return [
    ...evidence.map((value) => value * vocabularyCoverage),
    ...evidence.map((value) => value * (1 - vocabularyCoverage)),
    scoreMargin,
    missingEntities,
  ];
}

/** Weights each set by the square root of its size, so that large sets do not dominate. */
function fitWeights(examples: readonly ConfidenceExample[]): number[] {
  const counts = new Map<string, number>();
  for (const { set } of examples) counts.set(set, (counts.get(set) ?? 0) + 1);
  const roots = [...counts.values()].reduce((sum, count) => sum + Math.sqrt(count), 0);
  const weighted: TrainingExample[] = examples.map(({ set, kind, isAnswerable, features }) => ({
    features: toFeatureVector(features),
    isTrue: isAnswerable,
    weight:
      ((kind === 'asked' ? 1 : syntheticWeight) * examples.length) /
      (roots * Math.sqrt(counts.get(set) ?? 1)),
  }));
  return fitLogisticRegression(weighted, lowerBounds);
}

function toConfidenceWeights(coefficients: readonly number[]) {
  const [intercept, l, s, c, lu, su, cu, scoreMargin, missingEntities] = coefficients.map((value) =>
    Number(value.toFixed(2)),
  );
  return {
    intercept,
    inVocabulary: { lexical: l, similarity: s, coverage: c },
    outOfVocabulary: { lexical: lu, similarity: su, coverage: cu },
    scoreMargin,
    missingEntities,
  };
}

function printReport(
  title: string,
  examples: readonly ConfidenceExample[],
  coefficientsFor: (set: string) => readonly number[],
): void {
  const judged = examples.map(({ set, kind, isAnswerable, features }) => ({
    set,
    kind,
    isTrue: isAnswerable,
    confidence: predict(coefficientsFor(set), toFeatureVector(features)),
  }));
  const asked = judged.filter(({ kind }) => kind === 'asked');
  const aurocOf = (some: typeof judged) =>
    auroc(
      some.flatMap(({ isTrue, confidence }) => (isTrue ? [confidence] : [])),
      some.flatMap(({ isTrue, confidence }) => (isTrue ? [] : [confidence])),
    );
  const names = [...new Set(asked.map(({ set }) => set))];
  const aurocs = names.map((name) => ({
    name,
    area: aurocOf(asked.filter((one) => one.set === name)),
  }));
  const macro = mean(aurocs.flatMap(({ area }) => (area === null ? [] : [area])));
  process.stdout.write(
    `\n${title}: AUROC ${format(aurocOf(asked))}, mean of sets ${format(macro)}, calibration error ${format(calibrationError(reliabilityBins(asked)))}\n`,
  );
  process.stdout.write(
    `  ${aurocs.map(({ name, area }) => `${name} ${format(area)}`).join(', ')}\n`,
  );
  for (const threshold of [0.3, 0.35, 0.4, 0.45, 0.5]) {
    const shareBelow = (isCounted: (one: (typeof judged)[number]) => boolean) =>
      format(mean(judged.filter(isCounted).map((one) => Number(one.confidence < threshold))));
    process.stdout.write(
      `  below ${threshold}: ${shareBelow((one) => one.kind === 'asked' && !one.isTrue)} of the unanswerable, ${shareBelow((one) => one.isTrue)} of the answerable, ${shareBelow((one) => one.kind === 'without')} without their documents, ${shareBelow((one) => one.kind === 'elsewhere')} asked elsewhere\n`,
    );
  }
}

function format(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
