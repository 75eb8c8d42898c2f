import { createHash } from 'node:crypto';

/**
 * For each group, the positions of its questions in the list. Contains no texts, so that erased questions do not stay
 * in memory.
 */
export type Grouping = readonly (readonly number[])[];

const maxGroupings = 200;

/** The latest groupings that this process has computed, oldest first. */
export const groupings = new Map<string, Grouping>();

/**
 * Returns a key that identifies a list of questions and the model that compares them. Uses only ids, because the
 * content of a message never changes.
 */
export function groupingKey(
  modelName: string | undefined,
  questions: readonly { readonly messageId: string; readonly kind: string }[],
): string {
  const hash = createHash('sha256').update(`${modelName}\n`);
  for (const { messageId, kind } of questions) hash.update(`${kind} ${messageId}\n`);
  return hash.digest('base64');
}

export function rememberGrouping(key: string, grouping: Grouping): void {
  groupings.set(key, grouping);
  const [oldest] = groupings.keys();
  if (groupings.size > maxGroupings && oldest !== undefined) groupings.delete(oldest);
}
