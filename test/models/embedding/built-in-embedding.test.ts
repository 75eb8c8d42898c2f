import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BuiltInEmbedding,
  startBuiltInEmbedding,
} from '../../../src/models/embedding/built-in-embedding-model.ts';

let model: BuiltInEmbedding;

beforeAll(async () => {
  model = await startBuiltInEmbedding();
});
afterAll(() => model?.stop());

async function vectorOf(text: string): Promise<Float32Array> {
  const { vectors } = await model.embed([text]);
  return vectors[0] ?? new Float32Array();
}

function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

test('texts become unit vectors, in order, and similar meanings have similar vectors', async () => {
  const { vectors, tokens } = await model.embed([
    'How do I get my money back?',
    'Refunds are paid within 14 days.',
    'The sauna opens at 16:00.',
  ]);
  expect(vectors.map(({ length }) => length)).toEqual([384, 384, 384]);
  const [question, refund, sauna] = vectors;
  if (!question || !refund || !sauna) throw new Error('a vector is missing');
  expect(cosine(question, question)).toBeCloseTo(1, 5);
  expect(cosine(question, refund)).toBeGreaterThan(cosine(question, sauna) + 0.2);
  expect(tokens).toBeGreaterThan(20);
});

test('the vector of a text does not depend on the other texts in its batch', async () => {
  const alone = await vectorOf('The warranty lasts two years.');
  const { vectors } = await model.embed([
    'x',
    'The warranty lasts two years.',
    'word '.repeat(500),
  ]);
  expect(vectors[1]).toEqual(alone);
});

test('a long text is read to its 256th token, and a huge text takes no longer', async () => {
  const beginning = 'word '.repeat(300);
  expect(await vectorOf(`${beginning}and then`)).toEqual(await vectorOf(beginning));
  const { tokens } = await model.embed(['x'.repeat(5_000_000), '\ud800 \u0000 👩‍👩‍👧', '']);
  expect(tokens).toBeLessThan(3 * 256);
});

test('vocabulary coverage is high for English words and low for others', async () => {
  const { vocabularyCoverage } = await model.embed([
    'When does the sauna open?',
    'Когда открывается сауна?',
    'متى تفتح الساونا؟',
    '',
  ]);
  expect(vocabularyCoverage).toEqual([1, 0, 0, 0]);
});

test('a query overtakes queued documents', async () => {
  const ended: string[] = [];
  const documents = model
    .embed(Array.from({ length: 50 }, (_, index) => `${index} ${'some words '.repeat(100)}`))
    .then(() => ended.push('documents'));
  await model.embed(['query'], { kind: 'query' }).then(() => ended.push('query'));
  await documents;
  expect(ended).toEqual(['query', 'documents']);
});

test('an aborted call ends at once, and its texts are not embedded', async () => {
  const controller = new AbortController();
  const texts = Array.from({ length: 2_000 }, () => 'some words '.repeat(100));
  const call = model.embed(texts, { signal: controller.signal });
  controller.abort(new Error('gone'));
  await expect(call).rejects.toThrow('gone');
  // The model would need longer for two thousand texts than the time limit of this test.
  await model.embed(['next']);
  await expect(model.embed(['x'], { signal: controller.signal })).rejects.toThrow('gone');
});

test('an empty input returns an empty result', async () => {
  expect(await model.embed([])).toMatchObject({ vectors: [], tokens: 0 });
});

test('a stopped model rejects queued and new calls', async () => {
  const other = await startBuiltInEmbedding();
  const waiting = other.embed(Array.from({ length: 20 }, () => 'some words '.repeat(100)));
  const rejected = expect(waiting).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  await other.stop();
  await rejected;
  await expect(other.embed(['x'])).rejects.toMatchObject({ code: 'MODEL_ERROR' });
});

test.each([
  [
    'while it embeds',
    // The query is embedded before the documents that are already waiting.
    'model.embed(Array(50).fill("some words ".repeat(100))); await model.embed(["query"], { kind: "query" }); process.exit(7);',
    7,
  ],
  ['idle, without being stopped', '', 0],
])('a process with the model exits cleanly, %s', (_, then, status) => {
  const url = pathToFileURL('src/models/embedding/built-in-embedding-model.ts').href;
  const directory = mkdtempSync(join(tmpdir(), 'built-in-embedding-'));
  const script = join(directory, 'run.mjs');
  writeFileSync(
    script,
    `import { startBuiltInEmbedding } from '${url}';
     const model = await startBuiltInEmbedding();
     ${then}`,
  );
  const {
    status: ended,
    signal,
    stderr,
  } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
  });
  rmSync(directory, { recursive: true });
  expect({ ended, signal, stderr }).toEqual({ ended: status, signal: null, stderr: '' });
});
