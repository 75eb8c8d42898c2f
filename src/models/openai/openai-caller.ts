import type OpenAI from 'openai';
import type { ChatOptions, OnTry } from '../models.ts';
import type { OpenAiLimits } from './openai-limits.ts';
import type { ReasoningStyle } from './reasoning-filter.ts';
import type { ReportInvalidUsage } from './reported-tokens.ts';

/** State that all calls of one model share. */
export interface ModelCaller {
  readonly client: OpenAI;
  readonly model: string;
  readonly limits: OpenAiLimits;
  readonly options: ChatOptions;
  /** Names of optional parameters that the server does not support. */
  readonly rejectedParameters: Set<string>;
  readonly reasoningStyle: ReasoningStyle;
  readonly reportInvalidUsage: ReportInvalidUsage;
  /** Set for a single call. */
  readonly onTry?: OnTry;
}
