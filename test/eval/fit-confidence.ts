import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ConfidenceFeatures } from '../../src/domain/chat/confidence-features.ts';
import { loadSet } from './ask.ts';
import { type ConfidenceExample, confidenceExamples, type Loaded } from './confidence-examples.ts';
import { readSets } from './dataset.ts';
import { say, withEvaluation } from './evaluation-context.ts';
import { type Example, fitLogistic, predict } from './logistic.ts';
import { auroc, calibrationError, mean, reliability } from './statistics.ts';

const usage = `npm run eval:fit -- --data DIR [--sets A,B] [--database URL] [--keep DIR]

Fits the weights of confidence for the embedding model in service to labelled questions, prints them as they stand in
src/domain/chat/confidence-weights.ts, and what they are worth: on the questions they were fitted to, and on each set
with weights fitted to the others.`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    database: { type: 'string' },
    keep: { type: 'string' },
  },
});
/** Of the made questions, beside one for those the sets hold. */
const madeWeight = 0.3;

/**
 * Only missing names may speak against an answer. Words keep a weight also where the model knows them: who asks for a
 * code or a name asks for its words, which questions in whole sentences, as in the sets, do not show.
 */
const lowerBounds = [1, 0, 0, 0, 0, 0, 0, Number.NEGATIVE_INFINITY];

if (values.data === undefined) process.stdout.write(`${usage}\n`);
else await main(values.data);

async function main(directory: string): Promise<void> {
  const sets = await readSets(resolve(directory), values.sets?.split(',') ?? null);
  const examples = await withEvaluation(values, async (context, organizationId) => {
    const loaded: Loaded[] = [];
    for (const set of sets) {
      loaded.push({ set, loaded: await loadSet(context, organizationId, set) });
    }
    const found: ConfidenceExample[] = [];
    for await (const example of confidenceExamples(context, loaded)) found.push(example);
    return found;
  });
  say(`${examples.length} examples`);
  const all = fitWeights(examples);
  tell('fitted to all sets', examples, () => all);
  const others = new Map(
    sets.map(({ name }) => [name, fitWeights(examples.filter(({ set }) => set !== name))]),
  );
  tell('each set by the others', examples, (set) => others.get(set) ?? all);
  process.stdout.write(`\n${JSON.stringify(weightsOf(all), null, 2)}\n`);
}

function vectorOf(features: ConfidenceFeatures): number[] {
  const { lexical, similarity, coverage, familiarity, lead, missingNames } = features;
  const evidence = [lexical, similarity, coverage];
  return [
    ...evidence.map((value) => value * familiarity),
    ...evidence.map((value) => value * (1 - familiarity)),
    lead,
    missingNames,
  ];
}

/** A set weighs as the root of its size, so that a large one does not decide alone. */
function fitWeights(examples: readonly ConfidenceExample[]): number[] {
  const counts = new Map<string, number>();
  for (const { set } of examples) counts.set(set, (counts.get(set) ?? 0) + 1);
  const roots = [...counts.values()].reduce((sum, count) => sum + Math.sqrt(count), 0);
  const weighted: Example[] = examples.map(({ set, kind, isAnswerable, features }) => ({
    features: vectorOf(features),
    isTrue: isAnswerable,
    weight:
      ((kind === 'asked' ? 1 : madeWeight) * examples.length) /
      (roots * Math.sqrt(counts.get(set) ?? 1)),
  }));
  return fitLogistic(weighted, lowerBounds);
}

function weightsOf(coefficients: readonly number[]) {
  const [constant, l, s, c, lu, su, cu, lead, missingNames] = coefficients.map((value) =>
    Number(value.toFixed(2)),
  );
  return {
    constant,
    known: { lexical: l, similarity: s, coverage: c },
    unknown: { lexical: lu, similarity: su, coverage: cu },
    lead,
    missingNames,
  };
}

function tell(
  title: string,
  examples: readonly ConfidenceExample[],
  coefficientsFor: (set: string) => readonly number[],
): void {
  const judged = examples.map(({ set, kind, isAnswerable, features }) => ({
    set,
    kind,
    isTrue: isAnswerable,
    confidence: predict(coefficientsFor(set), vectorOf(features)),
  }));
  const asked = judged.filter(({ kind }) => kind === 'asked');
  const areaOf = (some: typeof judged) =>
    auroc(
      some.flatMap(({ isTrue, confidence }) => (isTrue ? [confidence] : [])),
      some.flatMap(({ isTrue, confidence }) => (isTrue ? [] : [confidence])),
    );
  const names = [...new Set(asked.map(({ set }) => set))];
  const areas = names.map((name) => ({
    name,
    area: areaOf(asked.filter((one) => one.set === name)),
  }));
  const macro = mean(areas.flatMap(({ area }) => (area === null ? [] : [area])));
  process.stdout.write(
    `\n${title}: AUROC ${format(areaOf(asked))}, mean of sets ${format(macro)}, calibration error ${format(calibrationError(reliability(asked)))}\n`,
  );
  process.stdout.write(
    `  ${areas.map(({ name, area }) => `${name} ${format(area)}`).join(', ')}\n`,
  );
  for (const threshold of [0.3, 0.35, 0.4, 0.45, 0.5]) {
    const below = (isCounted: (one: (typeof judged)[number]) => boolean) =>
      format(mean(judged.filter(isCounted).map((one) => Number(one.confidence < threshold))));
    process.stdout.write(
      `  below ${threshold}: ${below((one) => one.kind === 'asked' && !one.isTrue)} of the unanswerable, ${below((one) => one.isTrue)} of the answerable, ${below((one) => one.kind === 'without')} without their documents, ${below((one) => one.kind === 'elsewhere')} asked elsewhere\n`,
    );
  }
}

function format(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
