/** A question as the service receives it. */
export interface QuestionInput {
  question: string;
  expected: string[][];
  documentId?: string;
  documentName?: string;
  mustRefuse?: boolean;
  tags?: string[];
  language?: string;
  conversationId?: string;
}

export interface LineProblem {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly message: string;
}

export interface CheckedLines {
  readonly questions: QuestionInput[];
  /** Number of the line of each question. */
  readonly lines: readonly number[];
  /** The first problem of each wrong line. */
  readonly problems: readonly LineProblem[];
}

/** Reads JSON Lines: one question per line. Blank lines are ignored. */
export function checkQuestionLines(text: string): CheckedLines {
  const questions: QuestionInput[] = [];
  const lines: number[] = [];
  const problems: LineProblem[] = [];
  for (const [index, row] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (row.trim() === '') continue;
    const line = index + 1;
    const checked = checkLine(row);
    if (typeof checked === 'string') {
      problems.push({ line, message: checked });
    } else {
      questions.push(checked);
      lines.push(line);
    }
  }
  return { questions, lines, problems };
}

/** Returns the question, or the problem of the line. */
function checkLine(row: string): QuestionInput | string {
  const fields = parseObject(row);
  if (fields === null) return 'The line must be a JSON object';
  const problem = findProblem(fields);
  if (problem !== null) return problem;
  const { question, expected, ...others } = fields;
  const given = Object.entries(others).filter(([name]) => !ignored.has(name));
  return {
    question,
    expected: ((expected ?? []) as (string | string[])[]).map((item) => [item].flat()),
    ...Object.fromEntries(given.filter(([, value]) => value != null)),
  } as QuestionInput;
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(row: string): Fields | null {
  try {
    const value: unknown = JSON.parse(row);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : null;
  } catch {
    return null;
  }
}

/** Checks one field. Returns its problem, or null. */
type Check = (value: unknown) => string | null;

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && [...value].length <= max;
const text =
  (max: number): Check =>
  (value) =>
    isText(value, max) ? null : `must be a text of 1 to ${max.toLocaleString('en')} characters`;
const optional =
  (check: Check): Check =>
  (value) =>
    value == null ? null : check(value);
const shortText =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && [...value].length <= max
      ? null
      : `must be a text of at most ${max} characters`;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const isAlternative = (value: unknown) => isText(value, 1_000);

function checkExpected(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > 20) return 'must be a list of at most 20 texts';
  const isRight = value.every((item) =>
    Array.isArray(item)
      ? item.length > 0 && item.length <= 20 && item.every(isAlternative)
      : isAlternative(item),
  );
  const total = isRight ? [...value.flat().join('')].length : 0;
  if (total > 20_000) return 'must have at most 20,000 characters in total';
  return isRight
    ? null
    : 'must contain texts of 1 to 1,000 characters, or lists of 1 to 20 such texts';
}

/** The rules of the service, so that mistakes are found before anything is sent. */
const checks: Readonly<Record<string, Check>> = {
  question: text(4_000),
  expected: optional(checkExpected),
  documentId: optional((value) =>
    typeof value === 'string' && uuid.test(value) ? null : 'must be the id of a document',
  ),
  documentName: optional(shortText(255)),
  mustRefuse: optional((value) => (typeof value === 'boolean' ? null : 'must be true or false')),
  tags: optional((value) =>
    Array.isArray(value) && value.length <= 20 && value.every((tag) => isText(tag, 64))
      ? null
      : 'must be a list of at most 20 texts of 1 to 64 characters',
  ),
  language: optional(shortText(20)),
  conversationId: optional((value) =>
    typeof value === 'string' && uuid.test(value) ? null : 'must be the id of a conversation',
  ),
};
/** Fields of exported questions that an import does not use. */
const ignored = new Set(['id']);

function findProblem(fields: Fields): string | null {
  const unknown = Object.keys(fields).find(
    (name) => !Object.hasOwn(checks, name) && !ignored.has(name),
  );
  if (unknown !== undefined) return `${unknown} is not a field of a question`;
  for (const [name, check] of Object.entries(checks)) {
    const problem = check(fields[name]);
    if (problem !== null) return `${name} ${problem}`;
  }
  const { mustRefuse, expected } = fields;
  if (mustRefuse === true && ((expected as unknown[] | null | undefined) ?? []).length > 0) {
    return 'A question with mustRefuse must not have expected texts';
  }
  return null;
}
