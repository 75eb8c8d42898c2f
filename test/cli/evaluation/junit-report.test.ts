import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { writeJunitReport } from '../../../src/cli/evaluation/junit-report.ts';
import {
  evaluationResult,
  evaluationRun,
  refusedResult,
} from '../../support/evaluation/evaluation-records.ts';

test('each question is a test case, with its problems as failures and errors', () => {
  const report = writeJunitReport('Front desk', evaluationRun(), [
    evaluationResult(),
    refusedResult({ question: 'Refused?', expected: ['noon', ['a', 'b']] }),
    evaluationResult({ question: 'Answered?', mustRefuse: true }),
    evaluationResult({ question: 'Slow?', answer: null, citations: [], error: 'Too slow' }),
  ]);
  const elements = parse(report);
  expect(elements[1]).toMatchObject({
    name: 'testsuite',
    attributes: {
      ...{ name: 'Front desk', tests: '4', failures: '2', errors: '1', skipped: '0' },
      ...{ time: '6.000', timestamp: '2026-11-21T09:30:00' },
    },
  });
  expect(elements.slice(2).map(({ name, attributes }) => [name, attributes.name])).toEqual([
    ['testcase', 'When does the sauna open?'],
    ['testcase', 'Refused?'],
    ['failure', undefined],
    ['testcase', 'Answered?'],
    ['failure', undefined],
    ['testcase', 'Slow?'],
    ['error', undefined],
  ]);
  expect(elements[4]).toMatchObject({
    attributes: { message: expect.stringContaining('refused, but the documents answer it') },
    text: 'Expected:\n- the document rules.md\n- "noon"\n- "a" or "b"\n\nAnswer:\nI do not know.',
  });
  expect(elements[6]?.text).toBe(
    'Expected:\n- a refusal\n\nAnswer:\nThe sauna opens at noon. [1]\n\nCitations:\n[1] rules.md: The sauna opens at noon.',
  );
  expect(elements[8]).toMatchObject({
    attributes: { message: 'no answer: Too slow' },
    text: 'Expected:\n- the document rules.md\n- "noon"\n\nError:\nToo slow',
  });
});

test('markup is escaped, and characters that XML does not allow are removed', () => {
  const hostile = `<b a="1">&amp;]]></failure>\n\t\u0000\u001b[31m\u009b\ufffe\ud800 ä 😀 '`;
  const clean = `<b a="1">&amp;]]></failure>\n\t[31m\ufffd ä 😀 '`;
  const result = refusedResult({ question: hostile, answer: hostile, expected: [hostile] });
  const [, suite, testcase, failure] = parse(writeJunitReport(hostile, evaluationRun(), [result]));
  expect(suite?.attributes.name).toBe(clean);
  expect(testcase?.attributes).toMatchObject({ classname: clean, name: clean });
  expect(failure?.text).toContain(clean);
});

test('a run that is not done has its error as a further test case', () => {
  const run = evaluationRun({ status: 'FAILED', error: 'No model <server>', figures: null });
  const [, suite, asked, last, error] = parse(writeJunitReport('Set', run, [evaluationResult()]));
  expect(suite?.attributes).toMatchObject({ tests: '2', failures: '0', errors: '1' });
  expect([asked?.name, last?.name]).toEqual(['testcase', 'testcase']);
  expect(error).toMatchObject({ name: 'error', text: 'The run is FAILED: No model <server>' });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Returns all elements in document order. Throws if the text is not well-formed XML. */
function parse(xml: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes } as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return elements;
}
