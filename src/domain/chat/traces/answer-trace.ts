import type { FilteredKind } from '../../output-filter/filtered-parts.ts';
import type { AnswerStepName } from './answer-steps.ts';

/** Why an answer has its text. */
export const decisionReasons = [
  'ANSWERED',
  'NOT_SUPPORTED',
  'CUT_OFF',
  'PROMPT_LEAK',
  'NO_HITS',
  'BELOW_THRESHOLD',
  'MODEL_REFUSED',
  'SMALL_TALK',
  'HUMAN_REQUEST',
  'MODEL_FAILED',
  'FAILED',
  'STOPPED',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/** Why the chat model did not receive a hit. */
export const unusedReasons = ['BELOW_CUTOFF', 'NO_ROOM', 'DUPLICATE', 'NOT_ANSWERED'] as const;
export type UnusedReason = (typeof unusedReasons)[number];

/** What a call of a model was for. */
export const callPurposes = ['REWRITE', 'EMBED', 'RERANK', 'ANSWER', 'REPLY'] as const;
export type CallPurpose = (typeof callPurposes)[number];

/** How an answer came about. At most 32 KiB compressed. */
export interface AnswerTrace {
  readonly question: TracedQuestion;
  /** Hits of the search, best first, at most 40. Near-duplicates are last. */
  readonly hits: readonly TracedHit[];
  readonly decision: {
    /** The confidence that was compared with the threshold, 0 to 1. Null if none was measured. */
    readonly confidence: number | null;
    /** Null if the answer did not depend on a threshold. */
    readonly threshold: number | null;
    readonly reasons: readonly DecisionReason[];
    /** What the confidence was computed from (`ConfidenceFeatures`), without features that are unknown. */
    readonly features: readonly { readonly name: string; readonly value: number }[];
  };
  /** In the order of their start, at most 40. */
  readonly modelCalls: readonly TracedCall[];
  /** What the output filter removed or replaced. */
  readonly filtered: readonly { readonly kind: FilteredKind; readonly count: number }[];
  /** Duration of each step in milliseconds. */
  readonly timings: readonly { readonly step: AnswerStepName; readonly ms: number }[];
}

/** The question and what was searched instead. Each text has at most 2,000 UTF-16 units. */
export interface TracedQuestion {
  readonly asked: string;
  /** The question without the conversation. Null if it was not rewritten. */
  readonly rewritten: string | null;
  /** The question with corrected spelling. Null if nothing was corrected. */
  readonly corrected: string | null;
  /** The question in the language of the documents. Null if it was not translated. */
  readonly translated: string | null;
}

export interface TracedHit {
  readonly documentId: string;
  readonly chunkId: string;
  /** Relevance, similarity of the vectors, and score of the words, each 0 to 1. */
  readonly score: number;
  readonly similarity: number;
  readonly lexical: number;
  /** Place in the ranked results, from 1. Null for near-duplicates and for chunks that complete the section of a hit. */
  readonly rank: number | null;
  /** Whether the chat model received the chunk. */
  readonly used: boolean;
  /** Null if the chunk was used. */
  readonly reason: UnusedReason | null;
}

export interface TracedCall {
  readonly model: string;
  readonly purpose: CallPurpose;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Milliseconds until the first part of the text. Null if there was none, and for calls that return at once. */
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
  /** Number of requests to the model server. 1 for a model that runs in the service. */
  readonly tries: number;
}
