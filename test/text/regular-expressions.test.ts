import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { describeSlowness } from '../support/expressions/find-slow-expressions.ts';

/** Slow expressions that are safe because they receive no long text. Each has its reason. */
const exceptions = new Map([
  [String.raw`/\S+ \S+/g`, 'a constant'],
  [String.raw`/(\p{L}[\p{L}-]*?)([-\u2010]?)$/u`, 'the last 60 characters of a line'],
  [
    String.raw`/^\s*(discard|deallocate(?:\s+prepare)?)\s+all\s*;?\s*$/i`,
    '200 bytes: `maxCommandBytes`',
  ],
  ['/e5-mistral|e5-.*-instruct|gte-qwen|qwen3-embedding/', 'the setting EMBEDDING_MODEL'],
  ['/arctic-embed.*v2|arctic-embed2/', 'the setting EMBEDDING_MODEL'],
  [String.raw`/[.,;:!?)\]}»”’]+$/u`, 'a URL of 2,000 characters: `linkOrMarkerPattern`'],
  [String.raw`/[\s.?!。？！]+$/u`, 'a question of 4,000 characters, in the browser'],
]);

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.includes('generated'));
/** Files of the service. Importing them compiles their regular expressions. */
const imported = files.filter(
  (file) =>
    !/^src\/(?:dashboard|widget)\//.test(file) &&
    readFileSync(file, 'utf8').includes('new RegExp('),
);

test('every regular expression takes linear time on 100,000 characters of its worst text', async () => {
  const workerData = { files, imported, exceptions: [...exceptions.keys()] };
  const script = new URL('../support/expressions/expression-worker.ts', import.meta.url);
  const worker = new Worker(script, { workerData, execArgv: ['--import', 'tsx'] });
  const [found] = await once(worker, 'message');
  expect(found).toMatchObject({ slow: [], unknownExceptions: [] });
  expect(found.literals).toBeGreaterThan(400);
  expect(found.constructed).toBeGreaterThan(20);
}, 120_000);

test.each([/\s+$/, /\S+@x/, /^(a+)+$/, /e5-.*-x/])(
  'finds that %s takes quadratic or exponential time',
  ({ source, flags }) => {
    expect(describeSlowness({ file: '', source, flags })).toContain('ms for');
  },
);

test.each([/\S+/g, /^\s*(\d+)\s*$/, /(?<!\s)\s+$/, /"[^"]*"/g, /^(?:a|b)*c/])(
  'finds that %s takes linear time',
  ({ source, flags }) => {
    expect(describeSlowness({ file: '', source, flags })).toBeNull();
  },
);
