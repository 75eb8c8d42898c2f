import type { CandidateText } from './candidate-texts.ts';

/** A text from a source that can be quoted as an answer. It can be understood without its context. */
export interface Candidate extends Omit<CandidateText, 'before'> {
  /** Number of the source that contains the text, from 1. */
  readonly source: number;
  /** Relevance of the source in the search, as a share of the most relevant source, 0 to 1. */
  readonly relevance: number;
  /** Name of the document. */
  readonly document: string;
  /** Id of the document, or its name if the source has no id. */
  readonly documentId: string;
  /** Whether the text is part of a form, such as the head of a report. */
  readonly isForm: boolean;
  /** Whether an e-mail quotes the text, so that the text above it is newer. */
  readonly isEarlier: boolean;
  /** Numbers of the headings above the text, such as `3` and `3.2`. */
  readonly sections: readonly string[];
  /** Position among the candidates of its source, from 0. */
  readonly position: number;
  readonly terms: readonly string[];
  /** Terms of the heading, the context path and the document name. */
  readonly topic: readonly string[];
  /** The innermost heading on one line, or an empty string. */
  readonly heading: string;
  /** Terms of the innermost heading. */
  readonly ownTopic: readonly string[];
  /** Terms of the sentence before the candidate, if it is in the same paragraph. */
  readonly before: readonly string[];
  /** If the heading above the candidate is a question, the terms of this question. */
  readonly askedAbove: readonly string[];
  /** Number of candidates between the heading and this candidate. */
  readonly distance: number;
  /** Number of the heading above the candidate in its source, from 0. Candidates below one heading belong together. */
  readonly section: number;
  /**
   * The text that the candidate belongs to, if it is short enough to be shown as a whole: all texts below its heading,
   * or else its paragraph. Null otherwise.
   */
  readonly block: string | null;
}
