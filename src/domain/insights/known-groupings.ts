import { createHash } from 'node:crypto';

interface Question {
  readonly messageId: string;
  readonly content: string;
}

/** Places of the questions of each group. Contains no texts, so that erased questions do not stay in memory. */
type Grouping = readonly (readonly number[])[];

const maxGroupings = 200;

/** The latest groupings of this process, oldest first. */
export const groupings = new Map<string, Grouping>();

/** Identifies questions and the model that compares them. The content of a message never changes. */
export function groupingKey(modelName: string | undefined, questions: readonly Question[]): string {
  const hash = createHash('sha256').update(`${modelName}\n`);
  for (const { messageId } of questions) hash.update(`${messageId}\n`);
  return hash.digest('base64');
}

export function rememberGrouping(
  key: string,
  groups: readonly { readonly asked: readonly Question[] }[],
  questions: readonly Question[],
): void {
  const places = new Map(questions.map(({ messageId }, place) => [messageId, place]));
  const placesOf = ({ asked }: { readonly asked: readonly Question[] }) =>
    asked.flatMap(({ messageId }) => places.get(messageId) ?? []);
  groupings.set(key, groups.map(placesOf));
  const [oldest] = groupings.keys();
  if (groupings.size > maxGroupings && oldest !== undefined) groupings.delete(oldest);
}

/** Returns the group of these questions. Its wording is that of the first one. */
export function groupAt<Asked extends Question>(
  places: readonly number[],
  questions: readonly Asked[],
): { readonly question: string; readonly asked: readonly Asked[] } {
  const asked = places.flatMap((place) => questions[place] ?? []);
  return { question: asked[0]?.content ?? '', asked };
}
