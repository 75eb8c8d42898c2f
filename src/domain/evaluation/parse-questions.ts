import { z } from 'zod';
import { listNames } from '../../extract/warning-texts.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { runAtOnce, type Steps } from '../../platform/work-turns.ts';
import { counted } from '../../text/counted.ts';
import { hasAtMostCodePoints, hasNoNul, isWellFormed } from '../../text/text-rules.ts';
import {
  areExpectedTextsShort,
  expectedTextsTooLong,
  questionLimits as limits,
} from './question-limits.ts';
import type { QuestionInput } from './question-rows.ts';
import { maxQuestions } from './question-sets.ts';
import {
  columnNames,
  type QuestionFormat,
  type QuestionLine,
  readQuestionLines,
} from './read-question-lines.ts';

/** Wrong lines that have a message of their own. The others are counted. */
const maxProblems = 50;

/**
 * Reads the questions of a CSV or JSONL file.
 *
 * The names of the columns, and of the fields of each JSON object, are those of `columnNames`. In a CSV file, `|`
 * separates the expected texts, `||` separates the alternatives of one text, and `|` separates the tags.
 *
 * @throws DomainError VALIDATION_FAILED with a message for each of the first 50 wrong lines, which starts with the
 * number of the line
 */
export function parseQuestions(text: string, format: QuestionFormat): QuestionInput[] {
  return runAtOnce(parseInSteps(text, format));
}

/** Like `parseQuestions`, in steps of a line. */
export function* parseInSteps(text: string, format: QuestionFormat): Steps<QuestionInput[]> {
  const content = text.replace(/^\ufeff/, '');
  const questions: QuestionInput[] = [];
  const problems: string[] = [];
  let wrongLines = 0;
  for (const entry of readQuestionLines(content, format)) {
    if (questions.length + wrongLines === maxQuestions) {
      throw invalid([
        `The file has more than ${maxQuestions} questions. A set has at most ${maxQuestions}`,
      ]);
    }
    const result = validate(entry);
    if (typeof result !== 'string') questions.push(result);
    else {
      wrongLines += 1;
      if (problems.length < maxProblems) problems.push(`Line ${entry.line}: ${result}`);
    }
    yield;
  }
  if (wrongLines > 0) throw invalid(withRest(problems, wrongLines - problems.length));
  if (questions.length === 0) throw invalid(['The file has no questions']);
  return questions;
}

/** Adds how many more lines are wrong. */
function withRest(problems: readonly string[], rest: number): readonly string[] {
  if (rest === 0) return problems;
  return [...problems, `${counted(rest, 'more line')} ${rest === 1 ? 'is' : 'are'} wrong`];
}

function invalid(messages: readonly string[]): DomainError {
  return new DomainError('VALIDATION_FAILED', messages);
}

function validate(entry: QuestionLine): QuestionInput | string {
  if ('problem' in entry) return entry.problem;
  const result = questionSchema.safeParse(entry.value);
  if (result.success) {
    const { id: _, ...question } = result.data;
    return question;
  }
  return [...new Set(result.error.issues.map(describeIssue))].join(', ');
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown field ${listNames(issue.keys)}. The fields are ${columnNames.join(', ')}`;
  }
  const [field] = issue.path;
  return field === undefined ? issue.message : `${String(field)} ${issue.message}`;
}

/** Returns a schema for a text of 1 to `max` code points, which is normalized to NFC. */
function textOf(max: number) {
  return z
    .string('must be a text')
    .normalize('NFC')
    .refine(hasNoNul, { error: 'must not contain NUL characters', abort: true })
    .refine(isWellFormed, { error: 'must be well-formed Unicode', abort: true })
    .refine(hasAtMostCodePoints(max), { error: `must be at most ${max} characters`, abort: true })
    .regex(/\S/, 'must not be blank');
}

function listOf<T extends z.ZodType>(item: T, max: number, what: string) {
  return z.array(item, `must be a list of ${what}`).max(max, `must have at most ${max} ${what}`);
}

const alternativesSchema = listOf(
  textOf(limits.expectedText),
  limits.expectedTexts,
  'alternatives',
).min(1, 'must not be empty');
const expectedSchema = listOf(
  z.preprocess((item) => (typeof item === 'string' ? [item] : item), alternativesSchema),
  limits.expectedTexts,
  'texts',
).refine(areExpectedTextsShort, expectedTextsTooLong);

/** The rules of the API for a question. The `id` with which the API returns a question is ignored. */
const questionSchema = z.strictObject(
  {
    id: z.unknown().optional(),
    question: z.preprocess((value) => value ?? '', textOf(limits.question)),
    expected: expectedSchema.nullish(),
    documentId: z.string('must be a UUID').refine(isId, 'must be a UUID').nullish(),
    documentName: textOf(limits.documentName).nullish(),
    mustRefuse: z.boolean('must be true or false').nullish(),
    tags: listOf(textOf(limits.tag), limits.tags, 'tags').nullish(),
    language: textOf(limits.language).nullish(),
    conversationId: z.string('must be a UUID').refine(isId, 'must be a UUID').nullish(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'is not a JSON object' : undefined) },
);
