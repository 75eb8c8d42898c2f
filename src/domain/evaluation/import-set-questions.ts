import { DomainError } from '../../platform/errors.ts';
import { createWorkTurns, runInTurns } from '../../platform/work-turns.ts';
import type { Context } from '../context.ts';
import { parseInSteps } from './parse-questions.ts';
import { insertQuestions, readQuestionTexts, removeQuestions } from './question-rows.ts';
import { getQuestionSet, maxQuestions, type QuestionSet, type SetTarget } from './question-sets.ts';
import type { QuestionFormat } from './read-question-lines.ts';
import { changeQuestions } from './set-questions.ts';
import { unknownQuestions } from './unknown-questions.ts';

/** The service accepts requests of 6.5 MB. */
const maxTextBytes = 6_000_000;

export interface QuestionImport {
  readonly set: QuestionSet;
  /** Number of questions that were added. */
  readonly imported: number;
  /** Number of questions that were skipped, because the set has them, or because the text repeats them. */
  readonly alreadyThere: number;
}

/**
 * Adds the questions of a CSV or JSONL file to a set, or replaces those of the set. Skips questions that the set has. If
 * nothing is left, the set keeps its version.
 * @throws DomainError VALIDATION_FAILED when a line is wrong, or the set would have more than 10,000 questions. Then
 * nothing is stored
 * @throws DomainError NOT_FOUND when the set, or a conversation of the questions, is unknown
 */
export async function importSetQuestions(
  context: Context,
  {
    text,
    format,
    replaces,
    ...input
  }: SetTarget & {
    readonly text: string;
    readonly format: QuestionFormat;
    readonly replaces?: boolean | null;
  },
): Promise<QuestionImport> {
  const target = await getQuestionSet(context, input, 'evaluation:write');
  if (Buffer.byteLength(text) > maxTextBytes) {
    throw new DomainError('VALIDATION_FAILED', [`text must be at most ${maxTextBytes} bytes`]);
  }
  const turns = createWorkTurns(context.signal);
  const questions = await runInTurns(parseInSteps(text, format), turns);
  let imported = 0;
  const set = await changeQuestions(context, target, questions, async ({ db }, set) => {
    const known = replaces === true ? null : readQuestionTexts(db, set);
    const added = await unknownQuestions(questions, known);
    imported = added.length;
    if (imported === 0) return null;
    const count = imported + (replaces === true ? 0 : set.questionCount);
    requireRoom(count);
    if (replaces === true) await removeQuestions(db, set, null);
    await insertQuestions(db, set, added);
    return count;
  });
  return { set, imported, alreadyThere: questions.length - imported };
}

function requireRoom(count: number): void {
  if (count <= maxQuestions) return;
  throw new DomainError('VALIDATION_FAILED', [
    `A set has at most ${maxQuestions} questions. With these, it would have ${count}`,
  ]);
}
