import type { Source, TokenUsage } from '../../models/models.ts';
import type { FinishReason } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Intent } from '../../text/intents/intent.ts';
import type { Citation } from './evidence/citations.ts';

/** An answer during generation: the state to store if generation stops now. */
export interface AnswerDraft {
  content: string;
  citations: readonly Citation[];
  /** Sources that the model received. */
  sources: readonly Source[];
  confidence: number;
  /** The confidence that was compared with the project's threshold. Null without a retrieval. */
  retrievalConfidence: number | null;
  latencyMs: number;
  model: string | null;
  /** The question with corrected spelling. Null if nothing was corrected. */
  correctedQuestion: string | null;
  /** Null until the chat model has finished. */
  finishReason: FinishReason | null;
  usage: TokenUsage;
  embeddingTokens: number;
  /** Null unless the message is small talk. */
  intent: Intent | null;
}

export function emptyDraft(): AnswerDraft {
  return {
    content: '',
    citations: [],
    sources: [],
    confidence: 0,
    retrievalConfidence: null,
    latencyMs: 0,
    model: null,
    correctedQuestion: null,
    finishReason: null,
    usage: { inputTokens: 0, outputTokens: 0 },
    embeddingTokens: 0,
    intent: null,
  };
}
