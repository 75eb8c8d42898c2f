import { describe, expect, test } from 'vitest';
import { outputDifferences } from '../support/compare-output.ts';
import { runShellBlocks } from '../support/programs/run-shell-blocks.ts';

const json = (shown: string, actual: string) =>
  outputDifferences({ language: 'json', code: shown }, actual);
const text = (shown: string, actual: string) =>
  outputDifferences({ language: 'text', code: shown }, actual);

describe('the comparison of shown and real output', () => {
  test('accepts other ids, times and durations, and text in place of an ellipsis', () => {
    const shown =
      '{"id": "01a202e1-fd04-723d-bb7e-3e8cdc359933", "at": "2026-11-22T10:51:34.538Z", "latencyMs": 5, "key": "sk_…", …}';
    const actual =
      '{"id":"01b202e1-fd04-723d-bb7e-3e8cdc359934","at":"2027-01-01T00:00:00.000Z","latencyMs":99,"key":"sk_x","more":1}';
    expect(json(shown, actual)).toEqual([]);
    expect(json('[{"a": 1}, …]', '[{"a":1},2,3]')).toEqual([]);
    expect(json('{"a": 1}\n{"b": 2}', '{"a":1}{"b":2}')).toEqual([]);
    expect(text('one\n…\ntwo 01a2…\n', 'one\nx\ntwo y\ntwo 01ffff')).toEqual([]);
    expect(text('data: {"a":1,…}', 'data: {"b":2,"a":1}')).toEqual([]);
  });

  test.each([
    ['a field that is not shown', '{"a": 1}', '{"a":1,"b":2}'],
    ['a field that is missing', '{"a": 1, …}', '{"b":2}'],
    ['another value', '{"status": "READY", …}', '{"status":"FAILED"}'],
    ['another number', '{"limit": 1}', '{"limit":2}'],
    ['a score that is far off', '{"score": 0.5}', '{"score":0.6}'],
    ['no id where one is shown', '{"id": "01a202e1-fd04-723d-bb7e-3e8cdc359933"}', '{"id":"x"}'],
    ['a longer array', '{"a": [1]}', '{"a":[1,2]}'],
    ['a second value', '{"a": 1}', '{"a":1}{"a":1}'],
    ['an error in place of the answer', '{"data": {…}}', '{"errors":[],"data":null}'],
    ['no JSON', '{"a": 1}', 'curl: failed'],
  ])('reports %s', (_, shown, actual) => {
    expect(json(shown, actual)).not.toEqual([]);
  });

  test.each([
    ['another line', 'one', 'two'],
    ['a line that is missing', 'one\ntwo', 'one'],
    ['a line that is not shown', 'one', 'one\ntwo'],
    ['other JSON in an event', 'data: {"a":1}', 'data: {"a":2}'],
  ])('reports %s', (_, shown, actual) => {
    expect(text(shown, actual)).not.toEqual([]);
  });
});

test('a run stops at the first command that fails, and kills what it left in the background', async () => {
  const blocks = [
    'echo $((1 + 1)); sleep 1000 &',
    'false\necho not reached',
    'echo not reached',
  ].map((code, index) => ({ line: index + 1, code, skipReason: null, output: null }));
  const { outputs, exitCode } = await runShellBlocks(blocks, { env: {}, timeoutMs: 10_000 });
  expect(exitCode).toBe(1);
  expect(outputs).toEqual(['2\n', '']);
});

test('a run that takes too long is killed', async () => {
  const blocks = [{ line: 1, code: 'sleep 1000', skipReason: null, output: null }];
  const { exitCode } = await runShellBlocks(blocks, { env: {}, timeoutMs: 200 });
  expect(exitCode).toBeNull();
});
