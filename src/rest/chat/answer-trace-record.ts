/** How an answer came about. */
export interface AnswerTraceRecord {
  /**
   * The question and what was searched instead.
   */
  readonly question: TracedQuestionRecord;
  /**
   * Chunks that the search found, best first. A key with a filter sees only hits of its documents.
   * @maxItems 40
   */
  readonly hits: TracedHitRecord[];
  /**
   * Why the answer has its text.
   */
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
   * The question of the end user.
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
   * @example "How long is the warranty of a tent?"
   */
  readonly corrected: string | null;
  /**
   * The question in the language of the documents. Null if it was not translated.
   * @maxLength 2000
   * @example "How long is the warranty of a tent?"
   */
  readonly translated: string | null;
}

export interface TracedHitRecord {
  /**
   * Id of the document. It may be deleted since.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f"
   */
  readonly documentId: string;
  /**
   * Name that the document has now. Null if it was deleted.
   * @maxLength 255
   * @example "Warranty.pdf"
   */
  readonly documentName: string | null;
  /**
   * Id of the chunk.
   * @format uuid
   * @example "01980a3c-7d60-7e11-8c45-9b1a2c3d4e60"
   */
  readonly chunkId: string;
  /**
   * Relevance.
   * @minimum 0
   * @maximum 1
   * @example 0.71
   */
  readonly score: number;
  /**
   * Similarity of the vectors of chunk and question.
   * @minimum 0
   * @maximum 1
   * @example 0.68
   */
  readonly similarity: number;
  /**
   * Score of the common words of chunk and question.
   * @minimum 0
   * @maximum 1
   * @example 0.8
   */
  readonly lexical: number;
  /**
   * Place in the ranked results. Null for hits that were not ranked.
   * @isInt
   * @minimum 1
   * @maximum 40
   * @example 1
   */
  readonly rank: number | null;
  /**
   * Whether the chat model received the chunk.
   * @example true
   */
  readonly used: boolean;
  /**
   * Why the chunk was not used. Null if it was used.
   * @example "NO_ROOM"
   */
  readonly reason: 'BELOW_CUTOFF' | 'NO_ROOM' | 'DUPLICATE' | 'NOT_ANSWERED' | null;
}

export interface TraceDecisionRecord {
  /**
   * Confidence after the search. Null if it was not measured.
   * @minimum 0
   * @maximum 1
   * @example 0.83
   */
  readonly confidence: number | null;
  /**
   * Confidence from which the chat model is called. Null if it is called in any case.
   * @minimum 0
   * @maximum 1
   * @example 0.31
   */
  readonly threshold: number | null;
  /**
   * Why the answer has its text.
   * @maxItems 12
   * @example ["ANSWERED"]
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
  /**
   * What the confidence was computed from. The names may change with a version.
   * @maxItems 20
   */
  readonly features: TraceFeatureRecord[];
}

export interface TraceFeatureRecord {
  /**
   * Name of the feature.
   * @maxLength 40
   * @example "coverage"
   */
  readonly name: string;
  /**
   * From 0 to 1, except `answerability`, which is in log-odds.
   * @minimum -1000000
   * @maximum 1000000
   * @example 0.75
   */
  readonly value: number;
}

export interface TracedCallRecord {
  /**
   * Name of the model.
   * @maxLength 200
   * @example "gpt-4.1-mini"
   */
  readonly model: string;
  /**
   * What the call was for.
   * @example "ANSWER"
   */
  readonly purpose: 'REWRITE' | 'EMBED' | 'RERANK' | 'ANSWER' | 'REPLY';
  /**
   * Tokens that the model read.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 1250
   */
  readonly inputTokens: number;
  /**
   * Tokens that the model wrote.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 48
   */
  readonly outputTokens: number;
  /**
   * Time until the first text, in milliseconds. Null if the call is not streamed.
   * @minimum 0
   * @maximum 86400000
   * @example 310.5
   */
  readonly firstTokenMs: number | null;
  /**
   * Duration in milliseconds.
   * @minimum 0
   * @maximum 86400000
   * @example 840.2
   */
  readonly totalMs: number;
  /**
   * Number of requests to the model server.
   * @isInt
   * @minimum 1
   * @maximum 1000
   * @example 1
   */
  readonly tries: number;
}

export interface FilteredCountRecord {
  /**
   * What was removed.
   * @example "LINK"
   */
  readonly kind: 'LINK' | 'CITATION_MARKER' | 'HTML_TAG' | 'CONTROL_CHARACTER' | 'PROMPT_LEAK';
  /**
   * How often.
   * @isInt
   * @minimum 1
   * @maximum 2147483647
   * @example 1
   */
  readonly count: number;
}

export interface StepTimingRecord {
  /**
   * Name of the step.
   * @example "RETRIEVE"
   */
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
   * @maximum 86400000
   * @example 12.4
   */
  readonly ms: number;
}

export const traceFields = `
  question { asked rewritten corrected translated }
  hits { documentId documentName chunkId score similarity lexical rank used reason }
  decision { confidence threshold reasons features { name value } }
  modelCalls { model purpose inputTokens outputTokens firstTokenMs totalMs tries }
  filtered { kind count }
  timings { step ms }` as const;
