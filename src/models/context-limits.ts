import type { ContextLimits } from './models.ts';

/** Limits for all models except extractive ones. A chunk has about 160 tokens. */
export const defaultContextLimits: ContextLimits = {
  maxChunks: 10,
  maxTokens: 4_000,
  maxSectionTokens: 800,
};
