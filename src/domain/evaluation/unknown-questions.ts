/**
 * Returns the questions whose text is neither in `known` nor earlier in the list. Case and white space do not matter,
 * because a set that is imported again was often edited in a spreadsheet.
 */
export function unknownQuestions<Question extends { readonly question: string }>(
  questions: readonly Question[],
  known: Iterable<string>,
): Question[] {
  const seen = new Set([...known].map(comparable));
  return questions.filter(({ question }) => {
    const text = comparable(question);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

function comparable(question: string): string {
  return question.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
