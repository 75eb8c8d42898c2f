import type { FigureName } from '../../domain/evaluation/figures.ts';
import { judgedResults } from '../../domain/evaluation/judge-answer.ts';
import { createAnswerMatcher } from '../../domain/evaluation/match-answer.ts';
import type { EvaluationResultRecord } from '../../rest/evaluation/evaluation-run-record.ts';

/** A question with the problems of its answer. */
export interface FailedQuestion {
  readonly result: EvaluationResultRecord;
  readonly problems: readonly string[];
}

/** Returns the questions that have no answer or a wrong one. `rankLimit`: see `requiredRank`. */
export function findFailedQuestions(
  results: readonly EvaluationResultRecord[],
  rankLimit: number = judgedResults,
): FailedQuestion[] {
  return results.flatMap((result) => {
    const problems = findProblems(result, rankLimit);
    return problems.length === 0 ? [] : [{ result, problems }];
  });
}

/** Returns the last rank at which the search may find a document, if these figures are outside their bounds. */
export function requiredRank(missed: readonly FigureName[]): number {
  if (missed.includes('recallAt1') || missed.includes('mrr')) return 1;
  return missed.includes('recallAt5') ? 5 : judgedResults;
}

/** Returns the problems of an answer. Empty if the answer is as expected. */
function findProblems(result: EvaluationResultRecord, rankLimit: number): string[] {
  const { mustRefuse, refused, error } = result;
  if (error !== null) return [`no answer: ${error}`];
  if (mustRefuse) return refused === true ? [] : ['answered, but it must be refused'];
  const found = findDocumentProblem(result, rankLimit);
  if (refused === true) return [...found, 'refused, but the documents answer it'];
  return [
    ...found,
    ...findCitationProblem(result),
    ...findMissingTexts(result),
    ...findModelProblem(result),
  ];
}

function findDocumentProblem(
  { isDocumentMissing, firstCitationRight, rank, ...result }: EvaluationResultRecord,
  rankLimit: number,
): string[] {
  const document = documentOf(result);
  if (isDocumentMissing) return [`${document} does not exist, or is left out`];
  // The rank is judged for exactly those questions whose first citation is.
  if (firstCitationRight === null || (rank !== null && rank <= rankLimit)) return [];
  return [rank === null ? `the search does not find ${document}` : `${document} has rank ${rank}`];
}

function findCitationProblem({
  firstCitationRight,
  citations: [first],
  ...result
}: EvaluationResultRecord): string[] {
  if (firstCitationRight !== false || first === undefined) return [];
  return [`the first citation is of ${first.documentName}, not of ${documentOf(result)}`];
}

function findMissingTexts({
  containsExpected,
  expected,
  answer,
}: EvaluationResultRecord): string[] {
  if (containsExpected !== false) return [];
  const contains = createAnswerMatcher(answer ?? '');
  return expected
    .filter((texts) => !contains([texts].flat()))
    .map((texts) => `the answer does not contain ${describeTexts(texts)}`);
}

function findModelProblem({ modelVerdict, modelReason }: EvaluationResultRecord): string[] {
  return modelVerdict === 'WRONG' ? [`the language model finds it wrong: ${modelReason}`] : [];
}

/** Describes an expected text, or its alternatives. */
export function describeTexts(texts: string | readonly string[]): string {
  return [texts]
    .flat()
    .map((text) => JSON.stringify(text))
    .join(' or ');
}

/** Names the expected document. */
export function documentOf({
  documentId,
  documentName,
}: Pick<EvaluationResultRecord, 'documentId' | 'documentName'>): string {
  return `the document ${documentId ?? documentName}`;
}
