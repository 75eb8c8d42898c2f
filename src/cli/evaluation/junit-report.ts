import type {
  EvaluationResultRecord,
  EvaluationRunRecord,
} from '../../rest/evaluation/evaluation-run-record.ts';
import { describeTexts, documentOf, findFailedQuestions } from './failed-questions.ts';

/**
 * Returns the results of a run as JUnit XML, which CI systems show: one test case per question that was asked. If the
 * run is not done, a further test case has its error.
 */
export function writeJunitReport(
  setName: string,
  run: EvaluationRunRecord,
  results: readonly EvaluationResultRecord[],
): string {
  const problemsOf = new Map(
    findFailedQuestions(results).map(({ result, problems }) => [result, problems]),
  );
  const cases = results.map((result) => writeCase(setName, result, problemsOf.get(result) ?? []));
  const isDone = run.status === 'DONE';
  if (!isDone) cases.push(writeRunCase(setName, run));
  const errors = results.filter(({ error }) => error !== null).length + (isDone ? 0 : 1);
  const failures = problemsOf.size - results.filter(({ error }) => error !== null).length;
  const time = results.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0);
  const counts = attributes({
    name: setName,
    tests: cases.length,
    failures,
    errors,
    skipped: 0,
    time: toSeconds(time),
    timestamp: run.createdAt.slice(0, 19),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function writeCase(
  setName: string,
  result: EvaluationResultRecord,
  problems: readonly string[],
): string {
  const { question, latencyMs, error } = result;
  const start = `    <testcase${attributes({ classname: setName, name: question, time: toSeconds(latencyMs ?? 0) })}`;
  if (problems.length === 0) return `${start}/>`;
  const element = error === null ? 'failure' : 'error';
  return [
    `${start}>`,
    writeProblem(element, problems.join('; '), describeResult(result)),
    '    </testcase>',
  ].join('\n');
}

function writeRunCase(setName: string, { status, error }: EvaluationRunRecord): string {
  const message = `The run is ${status}${error === null ? '' : `: ${error}`}`;
  return [
    `    <testcase${attributes({ classname: setName, name: 'Evaluation run', time: '0.000' })}>`,
    writeProblem('error', message, message),
    '    </testcase>',
  ].join('\n');
}

function writeProblem(element: 'failure' | 'error', message: string, details: string): string {
  return `      <${element}${attributes({ message, type: element })}>${escapeXml(details)}</${element}>`;
}

/** Describes the expectation, the answer and the citations. */
function describeResult(result: EvaluationResultRecord): string {
  const { mustRefuse, answer, citations, error } = result;
  return [
    'Expected:',
    ...(mustRefuse ? ['- a refusal'] : describeExpected(result)),
    ...(error === null ? ['', 'Answer:', answer ?? ''] : ['', 'Error:', error]),
    ...(citations.length === 0 ? [] : ['', 'Citations:']),
    ...citations.map(
      ({ documentName: name, quote }, index) =>
        `[${index + 1}] ${name}${quote === null ? '' : `: ${quote}`}`,
    ),
  ].join('\n');
}

function describeExpected({ expected, ...result }: EvaluationResultRecord): string[] {
  const namesDocument = result.documentId !== null || result.documentName !== null;
  const texts = expected.map((item) => `- ${describeTexts(item)}`);
  return namesDocument ? [`- ${documentOf(result)}`, ...texts] : texts;
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replace(/\s/g, toReference)}"`)
    .join('');
}

/**
 * Readers of XML replace tabs and line breaks in attributes with spaces, unless they are written as character references
 * such as `&#10;`.
 */
function toReference(space: string): string {
  return space === ' ' ? space : `&#${space.charCodeAt(0)};`;
}

/** Characters that XML 1.0 does not allow, and other control characters. */
const forbiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** Escapes a text for XML. Removes control characters, and replaces lone surrogates with U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbiddenCharacters, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
