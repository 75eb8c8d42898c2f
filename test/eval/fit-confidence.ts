import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  auroc,
  calibrationError,
  mean,
  reliabilityBins,
} from '../../src/domain/evaluation/statistics.ts';
import {
  type ConfidenceExample,
  confidenceExamples,
  type SetWithDocuments,
} from './confidence-examples.ts';
import { firstQuestions, readConversationSet } from './conversation-set.ts';
import { readSets } from './dataset.ts';
import { loadSet } from './evaluate-question.ts';
import { logProgress, withEvaluation } from './evaluation-context.ts';
import { fitWeights, toConfidenceWeights, toFeatureVector } from './fit-weights.ts';
import { predict } from './logistic-regression.ts';

const usage = `npm run eval:fit -- --data DIR [--sets A,B] [--database URL] [--keep DIR] [--examples FILE]

Fits the weights of confidence for the embedding model in service to labelled questions, prints them as they stand in
src/domain/chat/evidence/confidence-weights.ts, and what they are worth: on the questions they were fitted to, and on each set
and each language with weights fitted to the others. --examples writes the features to a file, or reads them if it exists.`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    database: { type: 'string' },
    keep: { type: 'string' },
    examples: { type: 'string' },
  },
});
if (values.data === undefined) process.stdout.write(`${usage}\n`);
else await main(values.data);

async function main(directory: string): Promise<void> {
  const examples = await readExamples(directory);
  logProgress(`${examples.length} examples`);
  const all = fitWeights(examples);
  printReport('fitted to all sets', examples, () => all);
  const groups = [...new Set(examples.map(({ set }) => groupOf(set)))];
  const others = new Map(
    groups.map((group) => [
      group,
      fitWeights(examples.filter(({ set }) => groupOf(set) !== group)),
    ]),
  );
  printReport('each set by the others', examples, ({ set }) => others.get(groupOf(set)) ?? all);
  const languages = [...new Set(examples.map(({ lang }) => lang))];
  const otherLanguages = new Map(
    languages.map((language) => [
      language,
      fitWeights(examples.filter(({ lang }) => lang !== language)),
    ]),
  );
  printReport(
    'each language by the others',
    examples,
    ({ lang }) => otherLanguages.get(lang) ?? all,
  );
  process.stdout.write(`\n${JSON.stringify(toConfidenceWeights(all), null, 2)}\n`);
}

/**
 * Returns the group of a set. Sets with the same documents (`xquad` and `xquad-crosslingual`) are in one group, which
 * is left out as a whole.
 */
function groupOf(set: string): string {
  return set.split('-')[0] ?? set;
}

async function readExamples(directory: string): Promise<ConfidenceExample[]> {
  const { examples: file } = values;
  if (file !== undefined && existsSync(file)) return JSON.parse(await readFile(file, 'utf8'));
  const sets = [
    ...(await readSets(resolve(directory), values.sets?.split(',') ?? null)),
    ...firstQuestions(await readConversationSet()),
  ];
  const examples = await withEvaluation(values, async (context, organizationId) => {
    const loaded: SetWithDocuments[] = [];
    for (const set of sets) {
      loaded.push({ set, loaded: await loadSet(context, organizationId, set) });
    }
    const found: ConfidenceExample[] = [];
    for await (const example of confidenceExamples(context, loaded)) found.push(example);
    return found;
  });
  if (file !== undefined) await writeFile(file, JSON.stringify(examples));
  return examples;
}

function printReport(
  title: string,
  examples: readonly ConfidenceExample[],
  coefficientsFor: (example: ConfidenceExample) => readonly number[],
): void {
  const judged = examples.map((example) => ({
    ...example,
    isTrue: example.isAnswerable,
    confidence: predict(coefficientsFor(example), toFeatureVector(example.features)),
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
  const errors = aurocs.flatMap(({ name, area }) =>
    area === null
      ? []
      : [calibrationError(reliabilityBins(asked.filter(({ set }) => set === name))) ?? 0],
  );
  const macro = mean(aurocs.flatMap(({ area }) => (area === null ? [] : [area])));
  process.stdout.write(
    `\n${title}: AUROC ${format(aurocOf(asked))}, mean of sets ${format(macro)}, calibration error ${format(calibrationError(reliabilityBins(asked)))}, mean of sets ${format(mean(errors))}\n`,
  );
  process.stdout.write(
    `  ${aurocs.map(({ name, area }) => `${name} ${format(area)}`).join(', ')}\n`,
  );
  for (const threshold of [0.3, 0.35, 0.4, 0.45, 0.5, 0.55]) {
    const shareBelow = (isCounted: (one: (typeof judged)[number]) => boolean) =>
      format(mean(judged.filter(isCounted).map((one) => Number(one.confidence < threshold))));
    process.stdout.write(
      `  below ${threshold}: ${shareBelow((one) => one.kind === 'asked' && !one.isTrue)} of the unanswerable, ${shareBelow((one) => one.isTrue)} of the answerable (${shareBelow((one) => one.isTrue && !one.lang.includes('->'))} within one language), ${shareBelow((one) => one.kind === 'without')} without their documents, ${shareBelow((one) => one.kind === 'elsewhere')} asked elsewhere\n`,
    );
  }
}

function format(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
