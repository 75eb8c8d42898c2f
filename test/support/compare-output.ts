import type { ShownOutput } from './markdown-blocks.ts';

/**
 * Compares the output in a documentation page with the actual output. Returns the differences, one line each.
 *
 * In the documented output, `…` within a string or line matches any text. `…` as a member of an object or array matches
 * any additional members. A line that contains only `…` matches any number of lines. UUIDs, times and durations match
 * any other UUID, time or duration. Scores may differ by 0.02.
 */
export function outputDifferences({ language, code }: ShownOutput, actual: string): string[] {
  return language === 'json' ? jsonDifferences(code, actual) : textDifferences(code, actual);
}

function jsonDifferences(shown: string, actual: string): string[] {
  const expected = parseJsonValues(shown);
  let values: unknown[];
  try {
    values = parseJsonValues(actual);
  } catch {
    return [`expected JSON, got ${actual}`];
  }
  if (expected.length !== values.length) {
    return [`expected ${expected.length} JSON values, got ${values.length}: ${actual}`];
  }
  return expected.flatMap((value, index) => differences(value, values[index], '$'));
}

/** Parses JSON values that follow each other, with or without white space between them. */
function parseJsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  let start = 0;
  let depth = 0;
  let elided = 0;
  let json = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|…|[^"[\]{}…]+/g)) {
    if (token === '…') json += isInObject(json.slice(start)) ? `"…${elided++}":0` : '"…"';
    else json += token;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (depth > 0 || json.slice(start).trim() === '') continue;
    values.push(JSON.parse(json.slice(start)));
    start = json.length;
  }
  if (depth !== 0) throw new SyntaxError('unbalanced JSON');
  return values;
}

function isInObject(json: string): boolean {
  const open: string[] = [];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') open.push(token);
    if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1) === '{';
}

function differences(expected: unknown, actual: unknown, path: string): string[] {
  if (Array.isArray(expected)) return arrayDifferences(expected, actual, path);
  if (isRecord(expected)) return objectDifferences(expected, actual, path);
  return isSameScalar(expected, actual, path)
    ? []
    : [`${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
}

function arrayDifferences(expected: readonly unknown[], actual: unknown, path: string): string[] {
  const isOpen = expected.at(-1) === '…';
  const wanted = isOpen ? expected.slice(0, -1) : expected;
  if (
    !Array.isArray(actual) ||
    (isOpen ? actual.length < wanted.length : actual.length !== wanted.length)
  ) {
    return [`${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  }
  return wanted.flatMap((value, index) => differences(value, actual[index], `${path}[${index}]`));
}

function objectDifferences(
  expected: Readonly<Record<string, unknown>>,
  actual: unknown,
  path: string,
): string[] {
  if (!isRecord(actual)) return [`${path}: expected an object, got ${JSON.stringify(actual)}`];
  const names = Object.keys(expected).filter((name) => !name.startsWith('…'));
  const isOpen = names.length < Object.keys(expected).length;
  const surplus = isOpen ? [] : Object.keys(actual).filter((name) => !names.includes(name));
  return [
    ...surplus.map((name) => `${path}.${name}: not shown`),
    ...names.flatMap((name) => differences(expected[name], actual[name], `${path}.${name}`)),
  ];
}

function isSameScalar(expected: unknown, actual: unknown, path: string): boolean {
  if (typeof expected === 'number' && typeof actual === 'number') {
    if (path.endsWith('Ms')) return true;
    if (/\.(?:score|confidence)$/.test(path)) return Math.abs(expected - actual) <= 0.02;
  }
  if (typeof expected === 'string' && typeof actual === 'string') return isLike(expected, actual);
  return expected === actual;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function isLike(expected: string, actual: string): boolean {
  for (const kind of [uuid, time]) if (kind.test(expected)) return kind.test(actual);
  return wildcard(expected).test(actual);
}

/** The start of a UUIDv7, in the shortened form that pages use. */
const shortId = /\b01[0-9a-f]{2,6}…/g;

function wildcard(text: string): RegExp {
  const parts = text
    .replace(shortId, '…')
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

function textDifferences(shown: string, actual: string): string[] {
  const expected = linesOf(shown);
  const lines = linesOf(actual);
  let furthest = { shown: 0, actual: 0 };
  const matches = (from: number, to: number): boolean => {
    if (to > furthest.actual || from > furthest.shown) furthest = { shown: from, actual: to };
    const line = expected[from];
    if (line === undefined) return to === lines.length;
    if (line === '…') return matches(from + 1, to) || (to < lines.length && matches(from, to + 1));
    const real = lines[to];
    return real !== undefined && isSameLine(line, real) && matches(from + 1, to + 1);
  };
  if (matches(0, 0)) return [];
  const [wanted, got] = [expected[furthest.shown], lines[furthest.actual]];
  return [`expected ${wanted ?? 'the end'}, got ${got ?? 'the end'}, in: ${actual}`];
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/** Compares two lines. Compares JSON in a line as JSON, for example the data of a server-sent event. */
function isSameLine(expected: string, actual: string): boolean {
  const [shown, real] = [expected, actual].map((line) => /^((?:data: ?)?)(\{.*\})$/.exec(line));
  if (!shown || !real) return isLike(withoutCounters(expected), withoutCounters(actual));
  return shown[1] === real[1] && jsonDifferences(shown[2] ?? '', real[2] ?? '').length === 0;
}

/** Removes the remaining rate limit, because it depends on earlier requests. */
function withoutCounters(line: string): string {
  return line.replace(/^(RateLimit: "\w+");r=\d+;t=\d+$/, '$1');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
