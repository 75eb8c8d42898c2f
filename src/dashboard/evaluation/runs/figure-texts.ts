import { formatDuration } from '../../format/format-duration.ts';
import { formatCount, formatPercent } from '../../format/format-numbers.ts';
import type { Figures } from './run-operations.ts';

export type FigureName = keyof Figures['n'];

interface FigureText {
  readonly label: string;
  /** What the value means. */
  readonly text: string;
  readonly format: (value: number) => string;
}

const formatNumber = (value: number) => value.toFixed(2);

/** The figures of a run in plain words, in the order in which they are shown. */
export const figureTexts: Readonly<Record<FigureName, FigureText>> = {
  recallAt1: {
    label: 'Found first',
    text: 'the expected document is the first in the search',
    format: formatPercent,
  },
  recallAt5: {
    label: 'Found in the first five',
    text: 'the expected document is among the first five',
    format: formatPercent,
  },
  mrr: {
    label: 'Mean reciprocal rank',
    text: '1 if the document is always first, 0.5 if always second',
    format: formatNumber,
  },
  firstCitationRight: {
    label: 'First citation is right',
    text: 'it is of the expected document',
    format: formatPercent,
  },
  containsExpected: {
    label: 'Answer contains what is expected',
    text: 'all expected texts are in the answer',
    format: formatPercent,
  },
  refusedRight: {
    label: 'Refused rightly',
    text: 'the documents do not answer the question',
    format: formatPercent,
  },
  refusedWrongly: {
    label: 'Refused wrongly',
    text: 'the documents answer the question. Lower is better',
    format: formatPercent,
  },
  modelRight: {
    label: 'Right for the language model',
    text: 'it judges the answers when a run asks it to',
    format: formatPercent,
  },
  auroc: {
    label: 'Separation by confidence',
    text: 'how often an answerable question has the higher confidence (AUROC)',
    format: formatPercent,
  },
  calibrationError: {
    label: 'Calibration error',
    text: 'how far the confidence is from the share of answerable questions. Lower is better',
    format: formatPercent,
  },
  latencyP50Ms: {
    label: 'Median time of an answer',
    text: 'half of the answers took longer',
    format: formatDuration,
  },
  latencyP95Ms: {
    label: '95th percentile of the time',
    text: 'one in twenty answers took longer',
    format: formatDuration,
  },
  tokens: {
    label: 'Tokens',
    text: 'of the chat model and the embedding model, all questions together',
    format: formatCount,
  },
};

const lowerIsBetter: ReadonlySet<string> = new Set([
  ...['refusedWrongly', 'calibrationError', 'latencyP50Ms', 'latencyP95Ms', 'tokens'],
]);

export const isLowerBetter = (name: string) => lowerIsBetter.has(name);

/** Describes a bound: `at least 95 %`. The service may send figures that this page does not know yet. */
export function formatBound(name: string, bound: number): string {
  return `${isLowerBetter(name) ? 'at most' : 'at least'} ${figureText(name).format(bound)}`;
}

/** Returns the text of a figure, also of one that this page does not know yet. */
export function figureText(name: string): Pick<FigureText, 'label' | 'format'> {
  if (!Object.hasOwn(figureTexts, name)) return { label: name, format: formatNumber };
  return figureTexts[name as FigureName];
}

/** A comparison uses the mean of these figures over the questions. */
const meanFigures: { readonly [Name in FigureName]?: FigureText } = {
  latencyP50Ms: { ...figureTexts.latencyP50Ms, label: 'Mean time of an answer' },
  tokens: {
    ...figureTexts.tokens,
    label: 'Tokens per question',
    format: (tokens) => formatCount(Math.round(tokens)),
  },
};

/** Returns the text of a figure in a comparison. */
export function comparedFigureText(name: string): Pick<FigureText, 'label' | 'format'> {
  return meanFigures[name as FigureName] ?? figureText(name);
}
