import type { Price, PriceKind } from './price-operations.ts';

export const kindTexts: Readonly<Record<PriceKind, string>> = {
  INPUT: 'Input',
  OUTPUT: 'Output',
  EMBEDDING: 'Embedding',
  RERANK: 'Rerank',
};

export const priceKinds: readonly PriceKind[] = ['INPUT', 'OUTPUT', 'EMBEDDING', 'RERANK'];

/** Returns whether a model runs in the process of the service and so costs no tokens. */
export const isBuiltIn = (model: string) => model.startsWith('built-in/');

/** Names a model and what of it is counted: `gpt-5-mini, input`. */
export function describeTokens({ model, kind }: { model: string; kind: PriceKind }): string {
  return `${model}, ${kindTexts[kind].toLowerCase()}`;
}

/** First day of a price, such as `2026-11-21`, UTC. */
export const firstDayOf = ({ validFrom }: Pick<Price, 'validFrom'>) => validFrom.slice(0, 10);
