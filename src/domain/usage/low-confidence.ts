/**
 * Below this value an answer counts as low-confidence in usage statistics. Covers fallback answers (at most 0.2) and
 * answers that their sources hardly support.
 */
export const lowConfidenceThreshold = 0.3;
