/** Judgement of the answer to a question. A field is null if it does not apply to the question. */
interface JudgedResult {
  readonly mustRefuse: boolean;
  readonly rank: number | null;
  readonly firstCitationRight: boolean | null;
  readonly containsExpected: boolean | null;
  readonly refused: boolean | null;
  /** Why there is no answer. */
  readonly error: string | null;
}

/** Returns the problems of an answer, for display. Empty if the answer is as expected. */
export function problemsOf(result: JudgedResult): string[] {
  const { mustRefuse, rank, firstCitationRight, containsExpected, refused, error } = result;
  if (error !== null) return ['No answer'];
  if (mustRefuse) return refused === true ? [] : ['Should have been refused'];
  // Only questions with a document that exists have a judgement of the citation and of the search.
  const isDocumentJudged = firstCitationRight !== null;
  return [
    ...(refused === true ? ['Refused wrongly'] : []),
    ...(containsExpected === false ? ['Expected text is missing'] : []),
    ...(isDocumentJudged && rank === null ? ['Document not found'] : []),
    ...(firstCitationRight === false ? ['First citation is wrong'] : []),
  ];
}
