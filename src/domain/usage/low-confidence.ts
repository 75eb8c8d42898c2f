/**
 * An answer with a lower confidence counts as a low-confidence answer in usage statistics. This includes fallback
 * answers (at most 0.2) and answers that their sources hardly support.
 */
export const lowConfidenceThreshold = 0.3;
