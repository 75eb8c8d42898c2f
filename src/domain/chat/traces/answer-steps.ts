/**
 * The steps of an answer, in their order. An answer takes only some of them: small talk has no search.
 *
 * - `START`: stores the question, reads the history.
 * - `REPLY`: replies to small talk.
 * - `UNDERSTAND`: rewrites a follow-up, or translates the question, for the search.
 * - `RETRIEVE`: searches and ranks the chunks.
 * - `READ`: selects the context chunks, completes their sections, and lets a built-in model read them.
 * - `DECIDE`: measures the confidence, and decides whether the chat model is called.
 * - `WRITE`: the chat model writes.
 * - `JUDGE`: adds citations and the final confidence.
 */
export const answerSteps = [
  'START',
  'REPLY',
  'UNDERSTAND',
  'RETRIEVE',
  'READ',
  'DECIDE',
  'WRITE',
  'JUDGE',
] as const;

export type AnswerStepName = (typeof answerSteps)[number];
