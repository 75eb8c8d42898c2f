import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ItemContent,
  type ItemReader,
  maxRunMs,
  type SourceItem,
} from '../../../src/domain/sources/connector.ts';
import { connectors } from '../../../src/domain/sources/connectors.ts';
import { readItems } from '../../../src/domain/sources/items/read-items.ts';
import type { Refusal } from '../../../src/domain/sources/run-report.ts';
import { storedChanges } from '../../../src/domain/sources/run-report.ts';
import { createSource } from '../../../src/domain/sources/sources.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { WebClient } from '../../../src/platform/web/web-client.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let source: Awaited<ReturnType<typeof createSource>>;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  const { projectId } = await service.createTenant();
  const config = { endpoint: 'https://s3.example.com', bucket: 'docs' };
  source = await createSource(service.system, { projectId, kind: 'S3', name: 'Docs', config });
});

test('names in any Unicode form become documents that the next run keeps', {
  timeout: 60_000,
}, async () => {
  const names = ['Grüße.md', 'Gru\u0308se.md', 'e\u0301'.repeat(300), '\u0958.md'];
  const reader = readerOf(names.map((id) => [id, `Text of ${id}.`]));
  expect(await run(reader)).toMatchObject({ added: 4, removed: 0, refused: 0, error: null });
  expect(await documentCount()).toBe(4);
  expect(await run(reader)).toMatchObject({ added: 0, fetched: 0, unchanged: 4, removed: 0 });
  expect(await documentCount()).toBe(4);
});

test('of two names with one normal form, the second is refused, until the first is gone', {
  timeout: 60_000,
}, async () => {
  const [composed, decomposed] = ['\u00e9.md', 'e\u0301.md'];
  const twins = [
    [composed, 'First.'],
    [decomposed, 'Second.'],
  ] as const;
  for (let round = 0; round < 2; round += 1) {
    const both = await run(readerOf(twins));
    expect(both).toMatchObject({ refused: 1, removed: 0, error: null });
    expect(both.refusals).toEqual([
      { url: decomposed, reason: 'Another file has the same name in Unicode normal form' },
    ]);
    expect(await documentCount()).toBe(1);
  }
  expect(await run(readerOf(twins.slice(1)))).toMatchObject({ changed: 1, refused: 0, removed: 0 });
  const swapped = await run(readerOf(twins.toReversed()));
  expect(swapped).toMatchObject({ unchanged: 1, refused: 1 });
  expect(await run(readerOf(twins.slice(0, 1)))).toMatchObject({ changed: 1, refused: 0 });
});

test('a file that cannot be read now keeps its document, and the run says so', async () => {
  const good: [string, string] = ['b.md', 'Other text.'];
  await run(readerOf([['a.md', 'Text.'], good]));
  const broken = readerOf([['a.md', 'Changed.'], good], {
    'a.md': { type: 'refused', reason: 'The answer is damaged', isFinal: false },
  });
  expect(await run(broken)).toMatchObject({
    ...{ refused: 1, removed: 0, unchanged: 1 },
    error: 'Files that could not be read, and keep their documents: 1. The answer is damaged',
  });
  expect(await documentCount()).toBe(2);
});

test('a file that is listed but missing is read again by the next run', async () => {
  const files = [
    ['a.md', 'Text.'],
    ['b.md', 'Other text.'],
  ] as const;
  const missing = readerOf(files, {
    'a.md': { type: 'refused', reason: 'It does not exist', isFinal: false, isMissing: true },
  });
  expect(await run(missing)).toMatchObject({ added: 1, refused: 1, error: null });
  expect(await run(readerOf(files))).toMatchObject({ added: 1, unchanged: 1, refused: 0 });
});

test('an image is refused with its reason, and other formats with those that sources read', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64');
  const files = ['a.md', 'plan.png', 'false.pdf', 'picture.pdf'].map(
    (name) => [name, 'Text.'] as const,
  );
  const { refusals } = await run(
    readerOf(files, {
      'plan.png': { type: 'file', body: png },
      'picture.pdf': { type: 'file', body: Buffer.from('GIF89a') },
    }),
  );
  const formats = /^The file's format is not supported\. Supported formats: PDF, (?!.*PNG)/;
  expect(refusals).toEqual([
    { url: 'plan.png', reason: 'Sources do not read images' },
    { url: 'false.pdf', reason: 'The file is damaged or incomplete: its content is not PDF' },
    { url: 'picture.pdf', reason: expect.stringMatching(formats) },
  ]);
});

test('a run that another process finishes counts each refusal once', async () => {
  const refused = (reason: string, isFinal: boolean): ItemContent => ({
    ...{ type: 'refused', reason, isFinal },
  });
  const [composed, decomposed] = ['\u00e9.md', 'e\u0301.md'];
  const names = [composed, decomposed, 'large.md', 'slow.md', 'false.pdf', 'b.md', 'c.md'];
  const files = names.map((name) => [name, `Text of ${name}.`] as const);
  const contents = { 'large.md': refused('Too large', true), 'slow.md': refused('Slow', false) };
  const dead = await readingOf(source, new Date());
  const dying = readerOf(files, contents, 'c.md');
  await expect(readItems(dead, () => dying, 1_000)).rejects.toThrow('The process died');

  const { id } = dead.run;
  const where = { id };
  const row = await service.system.db.sourceRun.update({ where, data: { attempt: 2 } });
  expect(row).toMatchObject({ refused: 4, added: 2 });
  const { fetched, added, changed, removed, unchanged, refused: count, heldRemovals } = row;
  const report = {
    ...{ fetched, added, changed, removed, unchanged, refused: count, heldRemovals },
    refusals: row.refusals as Refusal[],
    warnings: [],
    changes: storedChanges(row.changes),
  };
  const next = { ...dead, run: { ...dead.run, attempt: 2 }, report };
  await readItems(next, () => readerOf(files, contents), 1_000);
  expect(report).toMatchObject({ added: 3, changed: 0, removed: 0, unchanged: 0, refused: 4 });
  expect(report.refusals.map(({ url }) => url).sort()).toEqual(
    [decomposed, 'large.md', 'slow.md', 'false.pdf'].sort(),
  );
});

test.each(['S3', 'GIT'] as const)(
  '%s: a server that never answers cannot exceed the time of a run',
  async (kind) => {
    const hanging: WebClient = {
      send: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    };
    const { projectId } = source;
    const config = kind === 'S3' ? {} : { url: 'https://git.example.com/docs.git' };
    const slow =
      kind === 'S3'
        ? source
        : await createSource(service.system, { projectId, kind, name: 'G', config });
    const reading = await readingOf(slow, new Date(Date.now() - maxRunMs + 300));
    const context = { ...reading.context, webClient: hanging };
    const error = await connectors[kind].read({ ...reading, context });
    expect(error).toBe('The run took too long');
  },
);

async function run(reader: ItemReader) {
  const reading = await readingOf(source, new Date());
  const error = await readItems(reading, () => reader, 1_000);
  const { id } = reading.run;
  await service.system.db.sourceRun.update({ where: { id }, data: { finishedAt: new Date() } });
  return { ...reading.report, error };
}

async function readingOf(of: typeof source, startedAt: Date) {
  const id = newId();
  const { id: sourceId, projectId } = of;
  const { db } = service.system;
  await db.sourceRun.create({ data: { id, sourceId, projectId, attempt: 1, startedAt } });
  const { organizationId } = await db.project.findUniqueOrThrow({ where: { id: projectId } });
  const counts = {
    fetched: 0,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    refused: 0,
    heldRemovals: 0,
  };
  const report = { ...counts, refusals: [], warnings: [], changes: storedChanges({}) };
  const { system: context } = service;
  return {
    context,
    source: of,
    secret: null,
    organizationId,
    run: { id, attempt: 1, startedAt },
    report,
  };
}

function readerOf(
  files: readonly (readonly [id: string, text: string])[],
  contents: Readonly<Record<string, ItemContent>> = {},
  diesAt?: string,
): ItemReader {
  const texts = new Map(files);
  return {
    async *list() {
      for (const [id, version] of files)
        yield { id, version, name: id.endsWith('.pdf') ? 'a.pdf' : 'a.md', sourceUrl: null };
    },
    async *read(items: readonly SourceItem[]) {
      for (const item of items) {
        if (item.id === diesAt) throw new Error('The process died');
        const body = Buffer.from(texts.get(item.id) ?? '');
        yield { item, content: contents[item.id] ?? { type: 'file', body } };
      }
    },
  };
}

function documentCount(): Promise<number> {
  return service.system.db.document.count({ where: { sourceId: source.id, deletedAt: null } });
}
