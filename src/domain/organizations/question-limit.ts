/** Kinds of questions with a limit: those that a run asks, and those whose answers the language model judges. */
export type QuestionKind = 'evaluated' | 'judged';

/** If no limit of questions is set, there are this many for each monthly message. */
export const questionsPerMessage = 10;

/** The largest integer of Postgres and of GraphQL. */
export const maxQuestionLimit = 2_147_483_647;

/** Returns the limit of questions if neither the organization nor its plan sets one. Null means unlimited. */
export function defaultQuestionLimit(monthlyMessages: number | null): number | null {
  if (monthlyMessages === null) return null;
  return Math.min(questionsPerMessage * monthlyMessages, maxQuestionLimit);
}
