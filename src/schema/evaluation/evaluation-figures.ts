import {
  type ReliabilityBin as Bin,
  type FigureName,
  type Figures,
  figureNames,
} from '../../domain/evaluation/figures.ts';
import { builder } from '../builder.ts';

const figureDescriptions: Readonly<Record<FigureName, string>> = {
  recallAt1: 'Share of questions whose document is the first in the search.',
  recallAt5: 'Share of questions whose document is among the first five in the search.',
  mrr: 'Mean reciprocal rank of the document among the first ten.',
  firstCitationRight: 'Share of questions whose first citation is of the expected document.',
  containsExpected: 'Share of answers that contain the expected texts.',
  refusedRight: 'Share of `mustRefuse` questions that were refused.',
  refusedWrongly: 'Share of the other questions that were refused.',
  modelRight:
    'Share of answers that the language model finds right, of those with a verdict. A refusal of an answerable question is wrong.',
  auroc:
    'Probability that an answerable question has a higher confidence than a `mustRefuse` question.',
  calibrationError: 'Expected calibration error of the confidence. Needs both kinds of questions.',
  latencyP50Ms: 'Median time of an answer, in milliseconds.',
  latencyP95Ms: '95th percentile of the time of an answer, in milliseconds.',
  tokens: 'Tokens of all questions, of the chat model and the embedding model.',
};

/** Which questions are behind a figure. */
const countDescriptions: Readonly<Record<FigureName, string>> = {
  recallAt1: 'Questions that expect a document that exists.',
  recallAt5: 'Questions that expect a document that exists.',
  mrr: 'Questions that expect a document that exists.',
  firstCitationRight: 'Questions that expect a document that exists, and have an answer.',
  containsExpected: 'Questions that expect texts.',
  refusedRight: '`mustRefuse` questions.',
  refusedWrongly: 'Questions without `mustRefuse`.',
  modelRight: 'Answers with a verdict of the language model.',
  auroc: 'All questions that were answered. 0 unless the set has both kinds of questions.',
  calibrationError:
    'All questions that were answered. 0 unless the set has both kinds of questions.',
  latencyP50Ms: 'All questions that were answered.',
  latencyP95Ms: 'All questions that were answered.',
  tokens: 'All questions that were answered.',
};

const EvaluationCounts = builder.objectRef<Figures['n']>('EvaluationCounts').implement({
  description: 'Number of questions to which each figure applies.',
  fields: (t) =>
    Object.fromEntries(
      figureNames.map((name) => [
        name,
        t.exposeInt(name, { description: countDescriptions[name] }),
      ]),
    ) as Record<FigureName, ReturnType<typeof t.exposeInt>>,
});

const ReliabilityBin = builder.objectRef<Bin>('ReliabilityBin').implement({
  description: 'Questions whose confidence is in the same tenth.',
  fields: (t) => ({
    from: t.exposeFloat('from', { description: 'Lowest confidence, inclusive.' }),
    to: t.exposeFloat('to', {
      description: 'Highest confidence, exclusive. 1 is in the last range.',
    }),
    n: t.exposeInt('n', { description: 'Number of questions in this range.' }),
    meanConfidence: t.exposeFloat('meanConfidence', {
      description: 'Mean confidence of the answers in this range.',
    }),
    right: t.exposeFloat('right', {
      description: 'Share of the questions in this range that the documents answer, 0 to 1.',
    }),
  }),
});

export const EvaluationFigures = builder.objectRef<Figures>('EvaluationFigures').implement({
  description:
    'Figures of a run, over the questions that were answered. Shares are between 0 and 1. A figure is null if it applies to no question of the run.',
  fields: (t) => ({
    ...(Object.fromEntries(
      figureNames.map((name) => [
        name,
        t.exposeFloat(name, { nullable: true, description: figureDescriptions[name] }),
      ]),
    ) as Record<FigureName, ReturnType<typeof t.float>>),
    calibrationErrorLow: t.exposeFloat('calibrationErrorLow', {
      nullable: true,
      description: 'Lower bound of the 95 % interval of `calibrationError` (bootstrap).',
    }),
    calibrationErrorHigh: t.exposeFloat('calibrationErrorHigh', {
      nullable: true,
      description: 'Upper bound of the 95 % interval of `calibrationError` (bootstrap).',
    }),
    reliability: t.field({
      type: [ReliabilityBin],
      description: 'Reliability diagram in steps of 0.1, without empty steps.',
      resolve: ({ reliability }) => [...reliability],
    }),
    n: t.expose('n', { type: EvaluationCounts }),
  }),
});
