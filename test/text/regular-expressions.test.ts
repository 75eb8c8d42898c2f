import { once } from 'node:events';
import { globSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { describeSlowness } from '../support/expressions/find-slow-expressions.ts';

test('every regular expression takes linear time on 100,000 characters of its worst text', async () => {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.includes('generated'));
  const script = new URL('../support/expressions/expression-worker.ts', import.meta.url);
  const worker = new Worker(script, { workerData: { files }, execArgv: ['--import', 'tsx'] });
  const [found] = await once(worker, 'message');
  // If a place that compiles an expression is unseen, `callCompilingFunctions` must call its function.
  expect(found).toMatchObject({ slow: [], unseen: [] });
  expect(found.literals).toBeGreaterThan(400);
  expect(found.constructed).toBeGreaterThan(100);
}, 120_000);

test.each([
  /\s+$/,
  /\S+@x/,
  /^(a+)+$/,
  /e5-.*-x/,
  // Only a text with a mismatch before the run is slow: the first alternative matches a run at the beginning.
  /^[\s\p{P}]+|[\s\p{P}]+$/gu,
  // Only a text that ends with a character that the class excludes is slow.
  /[^x]+$/,
  /(?<=b\w*)c/,
  // Only a text in which the lookahead matches is slow.
  /(?=%*x)y/,
  /(?!%*x)%/,
])(
  'finds that %s takes quadratic or exponential time',
  ({ source, flags }) => {
    expect(describeSlowness({ file: '', source, flags })).toContain('ms for');
  },
  120_000,
);

test.each([
  /\S+/g,
  /^\s*(\d+)\s*$/,
  /(?<!\s)\s+$/,
  /"[^"]*"/g,
  /^(?:a|b)*c/,
  /^[\s\p{P}]+|(?<![\s\p{P}])[\s\p{P}]+$/gu,
])('finds that %s takes linear time', ({ source, flags }) => {
  expect(describeSlowness({ file: '', source, flags })).toBeNull();
});
