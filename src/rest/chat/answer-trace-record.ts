/** How an answer came about. */
export interface AnswerTraceRecord {
  readonly question: TracedQuestionRecord;
  /**
   * Chunks that the search found, best first. A key with a filter sees only hits of its documents.
   * @maxItems 40
   */
  readonly hits: TracedHitRecord[];
  readonly decision: TraceDecisionRecord;
  /**
   * Calls of models in the order of their start.
   * @maxItems 40
   */
  readonly modelCalls: TracedCallRecord[];
  /**
   * What the output filter removed from the answer, or made inert.
   * @maxItems 5
   */
  readonly filtered: FilteredCountRecord[];
  /**
   * Duration of each step of the answer, in order.
   * @maxItems 8
   */
  readonly timings: StepTimingRecord[];
}

/** The question of an answer. Texts are cut after 2,000 characters. */
export interface TracedQuestionRecord {
  /**
   * @maxLength 2000
   * @example "And of a kayak?"
   */
  readonly asked: string;
  /**
   * The question without the conversation. Null if it was not rewritten.
   * @maxLength 2000
   * @example "How long is the warranty of a kayak?"
   */
  readonly rewritten: string | null;
  /**
   * The question with corrected spelling. Null if nothing was corrected.
   * @maxLength 2000
   */
  readonly corrected: string | null;
  /**
   * The question in the language of the documents. Null if it was not translated.
   * @maxLength 2000
   */
  readonly translated: string | null;
}

export interface TracedHitRecord {
  /**
   * Id of the document. It may be deleted since.
   * @format uuid
   */
  readonly documentId: string;
  /** @format uuid */
  readonly chunkId: string;
  /**
   * Relevance.
   * @minimum 0
   * @maximum 1
   */
  readonly score: number;
  /**
   * Similarity of the vectors of chunk and question.
   * @minimum 0
   * @maximum 1
   */
  readonly similarity: number;
  /**
   * Score of the common words of chunk and question.
   * @minimum 0
   * @maximum 1
   */
  readonly lexical: number;
  /**
   * Place in the ranked results. Null for hits that were not ranked.
   * @isInt
   * @minimum 1
   * @maximum 40
   */
  readonly rank: number | null;
  /** Whether the chat model received the chunk. */
  readonly used: boolean;
  /** Why the chunk was not used. Null if it was used. */
  readonly reason: 'BELOW_CUTOFF' | 'NO_ROOM' | 'DUPLICATE' | 'NOT_ANSWERED' | null;
}

export interface TraceDecisionRecord {
  /**
   * Confidence after the search. Null if it was not measured.
   * @minimum 0
   * @maximum 1
   */
  readonly confidence: number | null;
  /**
   * Confidence from which the chat model is called. Null if it is called in any case.
   * @minimum 0
   * @maximum 1
   */
  readonly threshold: number | null;
  /**
   * Why the answer has its text.
   * @maxItems 12
   */
  readonly reasons: (
    | 'ANSWERED'
    | 'NOT_SUPPORTED'
    | 'CUT_OFF'
    | 'PROMPT_LEAK'
    | 'NO_HITS'
    | 'BELOW_THRESHOLD'
    | 'MODEL_REFUSED'
    | 'SMALL_TALK'
    | 'HUMAN_REQUEST'
    | 'MODEL_FAILED'
    | 'FAILED'
    | 'STOPPED'
  )[];
}

export interface TracedCallRecord {
  /**
   * Name of the model.
   * @maxLength 200
   */
  readonly model: string;
  readonly purpose: 'REWRITE' | 'EMBED' | 'RERANK' | 'ANSWER' | 'REPLY';
  /**
   * @isInt
   * @minimum 0
   */
  readonly inputTokens: number;
  /**
   * @isInt
   * @minimum 0
   */
  readonly outputTokens: number;
  /**
   * Time until the first text, in milliseconds. Null if the call is not streamed.
   * @minimum 0
   */
  readonly firstTokenMs: number | null;
  /**
   * Duration in milliseconds.
   * @minimum 0
   */
  readonly totalMs: number;
  /**
   * Number of requests to the model server.
   * @isInt
   * @minimum 1
   */
  readonly tries: number;
}

export interface FilteredCountRecord {
  readonly kind: 'LINK' | 'CITATION_MARKER' | 'HTML_TAG' | 'CONTROL_CHARACTER' | 'PROMPT_LEAK';
  /**
   * @isInt
   * @minimum 1
   */
  readonly count: number;
}

export interface StepTimingRecord {
  readonly step:
    | 'START'
    | 'REPLY'
    | 'UNDERSTAND'
    | 'RETRIEVE'
    | 'READ'
    | 'DECIDE'
    | 'WRITE'
    | 'JUDGE';
  /**
   * Duration in milliseconds.
   * @minimum 0
   */
  readonly ms: number;
}

export const traceFields = `
  question { asked rewritten corrected translated }
  hits { documentId chunkId score similarity lexical rank used reason }
  decision { confidence threshold reasons }
  modelCalls { model purpose inputTokens outputTokens firstTokenMs totalMs tries }
  filtered { kind count }
  timings { step ms }` as const;
