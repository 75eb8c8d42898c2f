/**
 * Returns the questions whose text is neither in a page of `known` nor earlier in the list. Case and white space do not
 * matter, because a set that is imported again was often edited in a spreadsheet.
 */
export async function unknownQuestions<Question extends { readonly question: string }>(
  questions: readonly Question[],
  known: AsyncIterable<readonly { readonly question: string }[]> | null,
): Promise<Question[]> {
  const unknown = new Map<string, Question>();
  for (const question of questions) {
    const text = comparable(question);
    if (!unknown.has(text)) unknown.set(text, question);
  }
  for await (const page of known ?? []) {
    for (const question of page) unknown.delete(comparable(question));
  }
  return [...unknown.values()];
}

function comparable({ question }: { readonly question: string }): string {
  return question.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
