import type { TokenUsage } from '../../../models/models.ts';
import type { FilteredCount } from '../../output-filter/filtered-parts.ts';
import type { AnswerStepName } from './answer-steps.ts';
import type { AnswerTrace, CallPurpose, TracedQuestion } from './answer-trace.ts';

/** Records how one answer comes about. Keeps references only: `read` computes what is stored. */
export interface AnswerTraceRecorder {
  /** Ends the current step, and starts the next one. */
  startStep(step: AnswerStepName): void;
  setQuestion(changed: Partial<Omit<TracedQuestion, 'asked'>>): void;
  setSearch(search: TracedSearch): void;
  /** `threshold`: confidence from which the chat model is called. Null if it is called in any case. */
  setDecision(decision: {
    readonly threshold: number | null;
    readonly isModelAsked: boolean;
  }): void;
  /** Features of the confidence. Those that are null are unknown. */
  setFeatures(features: Readonly<Record<string, number | null>>): void;
  setFiltered(filtered: readonly FilteredCount[]): void;
  startCall(model: string, purpose: CallPurpose): CallRecorder;
  /** Returns the trace until now. */
  read(answer: TracedAnswer): AnswerTrace;
}

/** Records a call of a model. */
export interface CallRecorder {
  /** Called before each request to the model server. */
  onTry(): void;
  /** Only the first call has an effect. */
  firstToken(): void;
  /** Replaces an earlier usage. */
  setUsage(usage: TokenUsage): void;
  end(): void;
}

/** A chunk that the search found. Scores are from 0 to 1. */
export interface FoundChunk {
  readonly chunkId: string;
  readonly documentId: string;
  readonly score: number;
  readonly similarity: number;
  readonly lexical: number;
}

/** The search of an answer, and what was selected from its hits. */
export interface TracedSearch {
  /** Ranked hits, best first. */
  readonly hits: readonly FoundChunk[];
  /** See `Retrieval`. */
  readonly searched: readonly FoundChunk[];
  readonly distinct: readonly FoundChunk[];
  /** Chunks for the chat model. */
  readonly contextChunks: readonly FoundChunk[];
  /** Returns a function that returns the minimum score of a context chunk. Only called if there are hits. */
  minScores(): (chunk: FoundChunk) => number;
}

/** The parts of a finished answer from which its trace follows. */
export interface TracedAnswer {
  readonly outcome:
    | { readonly status: 'COMPLETED' | 'STOPPED' }
    | { readonly status: 'FAILED'; readonly error: unknown };
  readonly retrievalConfidence: number | null;
  readonly intent: string | null;
  readonly model: string | null;
  readonly finishReason: string | null;
  readonly citations: readonly unknown[];
}
