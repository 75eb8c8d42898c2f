import { execFileSync, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultExtractLimits } from '../../src/extract/extract-limits.ts';
import { ExtractError } from '../../src/extract/extracted-text.ts';
import { type FileType, fileFormats, type ImageType } from '../../src/extract/file-formats.ts';
import { defaultOcrSettings } from '../../src/extract/ocr/ocr-settings.ts';
import type { ExtractedChunks } from '../../src/extract/process/extract-protocol.ts';
import { type Extractor, startExtractor } from '../../src/extract/process/extractor-pool.ts';
import { requestExtraction } from '../../src/extract/process/request-extraction.ts';
import { buildEpub } from '../fixtures/build-epub.ts';
import { buildOdt } from '../fixtures/build-odt.ts';
import { encryptedOffice } from '../fixtures/build-office-package.ts';
import { bombPage, buildPdf } from '../fixtures/build-pdf.ts';
import { buildPptx, line, shape } from '../fixtures/build-pptx.ts';
import { buildXlsx, type Cell } from '../fixtures/build-xlsx.ts';
import { entry, idBytes, idOf, packOf } from '../support/servers/git-objects.ts';

type TypedFile = Parameters<Extractor['extract']>[0];

const bytesPerMegabyte = 1024 * 1024;
const imageTypes = ['png', 'jpeg', 'webp', 'tiff'];

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'extract-test-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function fixture(name: string, type: FileType): { path: string; type: FileType } {
  return { path: fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), type };
}

const notes = fixture('notes.txt', 'txt');

async function written(name: string, type: FileType, bytes: string | Uint8Array) {
  const path = join(directory, name);
  await writeFile(path, bytes);
  return { path, type };
}

async function withExtractor(
  options: Parameters<typeof startExtractor>[0],
  work: (extractor: Extractor) => Promise<void>,
): Promise<void> {
  const extractor = startExtractor(options);
  try {
    await work(extractor);
  } finally {
    await extractor.stop();
  }
}

function textOf({ chunks }: ExtractedChunks): string {
  return chunks.map(({ content }) => content).join('\n');
}

/** Returns the extraction processes of this test. */
function readerProcesses(): string[] {
  const listing = execFileSync('ps', ['-A', '-o', 'ppid=,command='], { encoding: 'utf8' });
  const own = listing.split('\n').filter((line) => line.trim().startsWith(`${process.pid} `));
  return own.filter((line) => line.includes('extract-worker'));
}

test('all formats are read in a child process, and stopping leaves no process behind', async () => {
  const files: Record<
    Exclude<FileType, ImageType>,
    { readonly file: TypedFile; readonly text: string }
  > = {
    pdf: { file: fixture('handbook.pdf', 'pdf'), text: 'Ines Varga' },
    docx: { file: fixture('handbook.docx', 'docx'), text: 'Underground garage' },
    txt: { file: notes, text: 'Winter Garden' },
    csv: { file: fixture('rooms.csv', 'csv'), text: 'Room: 101; Type: Standard' },
    markdown: { file: fixture('faq.md', 'markdown'), text: 'Check-out is until 11:00.' },
    html: {
      file: await written('a.html', 'html', '<h1>Pool</h1><p>Open daily.'),
      text: 'Open daily.',
    },
    xlsx: {
      file: await written('a.xlsx', 'xlsx', sampleWorkbook()),
      text: 'Room: 101; Opens: 2026-03-14',
    },
    pptx: { file: await written('a.pptx', 'pptx', samplePresentation()), text: 'Open daily' },
    odt: {
      file: await written('a.odt', 'odt', buildOdt('<text:p>Pool rules</text:p>')),
      text: 'Pool rules',
    },
    rtf: { file: await written('a.rtf', 'rtf', '{\\rtf1 Pool rules}'), text: 'Pool rules' },
    epub: {
      file: await written('a.epub', 'epub', buildEpub({ 'one.xhtml': '<p>Pool rules</p>' })),
      text: 'Pool rules',
    },
    eml: {
      file: await written(
        'a.eml',
        'eml',
        'Subject: Pool\nFrom: ann@hotel.example\n\nOpen daily.\n',
      ),
      text: 'From: ann@hotel.example',
    },
    json: { file: fixture('hotel.json', 'json'), text: 'number: 201; type: Harbour view' },
    jsonl: { file: fixture('faq.jsonl', 'jsonl'), text: 'id: 901827364518273645' },
  };
  // Images are tested in `ocr.test.ts`.
  const formats = Object.keys(fileFormats).filter((type) => !imageTypes.includes(type));
  expect(Object.keys(files).sort()).toEqual(formats.sort());
  await withExtractor({}, async (extractor) => {
    await Promise.all(
      Object.values(files).map(async ({ file, text }) =>
        expect(textOf(await extractor.extract(file))).toContain(text),
      ),
    );
    expect(readerProcesses().length).toBeGreaterThan(0);
  });
  expect(readerProcesses()).toEqual([]);
});

function samplePresentation(): Uint8Array {
  return buildPptx([{ shapes: shape(null, line('Open daily')) }]);
}

function sampleWorkbook(): Uint8Array {
  const rows: Cell[][] = [
    ['Room', 'Opens'],
    [101, { raw: 's="1"><v>46095</v>' }],
  ];
  return buildXlsx([{ rows }], { formats: [14] });
}

test('processes are limited in number and reused', async () => {
  await withExtractor({ processes: 1 }, async (extractor) => {
    await Promise.all([notes, notes, notes, notes].map((file) => extractor.extract(file)));
    expect(readerProcesses()).toHaveLength(1);
  });
});

test('no process starts before the first file', async () => {
  await withExtractor({}, async () => expect(readerProcesses()).toEqual([]));
});

test('an unreadable file returns its error code', async () => {
  await withExtractor({ processes: 1 }, async (extractor) => {
    const code = async (file: { path: string; type: FileType }) =>
      extractor.extract(file).then(
        () => 'read',
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
    expect(await code(await written('bad.pdf', 'pdf', '%PDF-1.7'))).toBe('CORRUPT_FILE');
    expect(await code(await written('bad.docx', 'docx', 'PK'))).toBe('CORRUPT_FILE');
    expect(await code(await written('locked.xlsx', 'xlsx', encryptedOffice()))).toBe('ENCRYPTED');
    expect(await code(await written('empty.txt', 'txt', ''))).toBe('EMPTY_TEXT');
    expect(await code(fixture('needs-password.pdf', 'pdf'))).toBe('ENCRYPTED');
    expect(readerProcesses()).toHaveLength(1);
  });
});

test('a missing file does not fail the document', async () => {
  await withExtractor({}, async (extractor) => {
    const reading = extractor.extract({ path: join(directory, 'gone.txt'), type: 'txt' });
    await expect(reading).rejects.not.toHaveProperty('code');
  });
});

test('a PDF bomb is TOO_LARGE and affects no other file', async () => {
  const bytes = buildPdf([bombPage(400 * bytesPerMegabyte)]);
  expect(bytes.length).toBeLessThan(50_000);
  const bomb = await written('bomb.pdf', 'pdf', bytes);
  const limits = { memoryBytes: 300 * bytesPerMegabyte };
  await withExtractor({ processes: 2, limits }, async (extractor) => {
    const [first, second] = await Promise.allSettled([
      extractor.extract(bomb),
      extractor.extract(notes),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'TOO_LARGE' } });
    expect(second.status).toBe('fulfilled');
    expect(textOf(await extractor.extract(notes))).toContain('Winter Garden');
  });
});

test('a process that cannot start does not blame the file, so that a retry may succeed', async () => {
  const { path } = await written('exits.mjs', 'txt', 'process.exit(1);');
  const child = fork(path, { stdio: ['pipe', 'ignore', 'ignore', 'ipc'] });
  child.stdin?.on('error', () => {});
  const request = {
    ...notes,
    sizeBytes: 10,
    limits: defaultExtractLimits,
    ocr: defaultOcrSettings,
  };
  const error = await requestExtraction(child, request, undefined).catch((error) => error);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ExtractError);
});

test('a full heap is TOO_LARGE, not a crash of the service', async () => {
  const cells = `${'a,'.repeat(100)}b\n`.repeat(100_000);
  const file = await written('wide.csv', 'csv', cells);
  await withExtractor({ limits: { memoryBytes: 160 * bytesPerMegabyte } }, async (extractor) => {
    await expect(extractor.extract(file)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(textOf(await extractor.extract(notes))).toContain('Winter Garden');
  });
});

test('the largest files do not block this process', async () => {
  const oneLine = await written('line.csv', 'csv', `${'cell,'.repeat(1_800_000)}end`);
  await withExtractor({}, async (extractor) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const outcome = await extractor.extract(oneLine).then(textOf, ({ code }) => code);
    delay.disable();
    expect(outcome === 'TOO_LARGE' || outcome.length > 1_000_000).toBe(true);
    expect(delay.max / 1e6).toBeLessThan(2_000);
  });
}, 120_000);

test('a pack of Git is read in the process, so that its deltas delay no other work', async () => {
  const packLimits = { maxObjectBytes: 4_000_000, maxTotalBytes: 200_000_000, maxObjects: 1_000 };
  const base = Buffer.from('x');
  // The delta copies the first byte of its base a million times. The pack has only some kilobytes.
  const copies = Buffer.concat([
    Buffer.from([1, 0xc0, 0x84, 0x3d]),
    Buffer.alloc(2e6, '9001', 'hex'),
  ]);
  const deltas = Array.from({ length: 30 }, () => entry(7, copies, idBytes(base)));
  const read = async (extractor: Extractor, pack: Buffer) =>
    extractor.readPack({ ...(await written('pack', 'txt', pack)), packLimits });
  await withExtractor({}, async (extractor) => {
    const text = Buffer.from('Rooms are free.');
    const objects = await read(extractor, packOf([entry(3, text)]));
    expect([...objects]).toEqual([[idOf('blob', text), { type: 'blob', data: text }]]);

    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const found = await read(extractor, packOf([entry(3, base), ...deltas]));
    clearInterval(timer);
    expect(found.get(idOf('blob', Buffer.alloc(1e6, 'x')))?.data.length).toBe(1e6);
    expect(turns).toBeGreaterThan(30);

    const large = packOf([entry(3, Buffer.alloc(packLimits.maxObjectBytes + 1))]);
    await expect(read(extractor, large)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(read(extractor, Buffer.from('PACK'))).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
    });
  });
});

test('a document with too many chunks, or too much text to embed, is TOO_LARGE', async () => {
  for (const limits of [{ chunks: 2 }, { embeddedCharacters: 500 }]) {
    await withExtractor({ limits }, async (extractor) => {
      await expect(extractor.extract(notes)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    });
  }
});

test('a file that exceeds the timeout is TOO_LARGE', async () => {
  await withExtractor({ limits: { timeoutMs: 1 } }, async (extractor) => {
    await expect(extractor.extract(notes)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(readerProcesses()).toEqual([]);
  });
});

test('a file above the size limit is TOO_LARGE without being read', async () => {
  await withExtractor({ limits: { fileBytes: 100 } }, async (extractor) => {
    await expect(extractor.extract(notes)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

test('an abort cancels running and queued extractions with its own reason', async () => {
  await withExtractor({ processes: 1 }, async (extractor) => {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const deleted = new Error('the document was deleted');
    const reading = Promise.allSettled([
      extractor.extract(notes, options),
      extractor.extract(notes, options),
      extractor.extract(notes),
    ]);
    controller.abort(deleted);
    const [running, waiting, untouched] = await reading;
    expect(running).toEqual({ status: 'rejected', reason: deleted });
    expect(waiting).toEqual({ status: 'rejected', reason: deleted });
    expect(untouched.status).toBe('fulfilled');
    await expect(extractor.extract(notes, options)).rejects.toThrow('the document was deleted');
  });
});

test('stopping rejects running and queued extractions, and none starts afterwards', async () => {
  const extractor = startExtractor({ processes: 1 });
  const reading = Promise.allSettled([extractor.extract(notes), extractor.extract(notes)]);
  await extractor.stop();
  expect((await reading).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(extractor.extract(notes)).rejects.toThrow('stopped');
  expect(readerProcesses()).toEqual([]);
});
