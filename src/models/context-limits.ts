import type { ContextLimits } from './models.ts';

/** Limits for a model that is not extractive. A chunk has about 160 tokens. */
export const defaultContextLimits: ContextLimits = { maxChunks: 10, maxTokens: 4_000 };
