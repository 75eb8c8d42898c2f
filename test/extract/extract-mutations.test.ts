import { readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { readEpub } from '../../src/extract/epub/epub.ts';
import { defaultExtractLimits, type ExtractLimits } from '../../src/extract/extract-limits.ts';
import { ExtractError, type ExtractedText } from '../../src/extract/extracted-text.ts';
import { readPptx } from '../../src/extract/office/pptx.ts';
import { readOdt } from '../../src/extract/open-document/odt.ts';
import { readRtf } from '../../src/extract/rtf/rtf.ts';
import { readXlsx } from '../../src/extract/tables/xlsx.ts';
import { readEml } from '../../src/extract/text-formats/eml.ts';
import { readJson, readJsonLines } from '../../src/extract/text-formats/json.ts';
import { buildEpub } from '../fixtures/build-epub.ts';
import { buildOdt } from '../fixtures/build-odt.ts';
import { buildPptx, line, shape } from '../fixtures/build-pptx.ts';
import { buildXlsx } from '../fixtures/build-xlsx.ts';

type Read = (bytes: Uint8Array, limits: ExtractLimits) => ExtractedText | Promise<ExtractedText>;

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const cell = '<table:table-cell><text:p>101</text:p></table:table-cell>';
const formats: Readonly<Record<string, readonly [read: Read, file: Uint8Array]>> = {
  XLSX: [
    readXlsx,
    buildXlsx(
      [
        {
          rows: [
            ['Room', 'Opens'],
            [101, { raw: 's="1"><v>46095</v>' }],
          ],
          merges: ['A1:B1'],
        },
      ],
      { formats: [14] },
    ),
  ],
  PPTX: [
    readPptx,
    buildPptx([
      { shapes: shape('type="title"', line('Pool')), notes: shape('type="body"', line('Note')) },
    ]),
  ],
  ODT: [
    readOdt,
    buildOdt(`<text:h>Pool</text:h><text:list><text:list-item><text:p>Shower</text:p></text:list-item></text:list>
    <table:table><table:table-row>${cell}${cell}</table:table-row></table:table>`),
  ],
  EPUB: [readEpub, buildEpub({ 'one.xhtml': '<h1>Pool</h1><p>Open daily.</p>' })],
  RTF: [
    readRtf,
    Buffer.from(
      String.raw`{\rtf1\ansi{\fonttbl{\f1\fcharset204 A;}}\pard\intbl 101\cell 89\cell\row\pard\u8364\'80 {\f1\'ca}{\footnote Note}\par}`,
    ),
  ],
  EML: [
    readEml,
    Buffer.from(
      'Subject: =?utf-8?q?Caf=C3=A9?=\r\nFrom: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>Open<table><tr><td>1\r\n--x--\r\n',
    ),
  ],
  JSON: [readJson, fixture('hotel.json')],
  JSONL: [readJsonLines, fixture('faq.jsonl')],
};

const mutations = 100;

describe.each(Object.entries(formats))('%s', (_, [read, file]) => {
  test('damaged files are read in part or have an error code', async () => {
    const random = seededRandom(1);
    let readable = 0;
    for (let round = 0; round < mutations; round += 1) {
      const bytes = round % 2 === 0 ? mutate(file, random) : mutateEntry(file, random);
      const outcome = await Promise.resolve()
        .then(() => read(bytes, defaultExtractLimits))
        .catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ExtractError);
      else readable += 1;
    }
    expect(readable).toBeGreaterThan(0);
    expect(readable).toBeLessThan(mutations);
  });
});

/** Returns a copy in which some bytes are overwritten, repeated or removed. */
function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = Buffer.from(bytes);
  const position = () => Math.floor(random() * copy.length);
  for (let change = random() * 4; change > 0; change -= 1) {
    const kind = random();
    if (kind < 0.4) copy[position()] = Math.floor(random() * 256);
    else if (kind < 0.8) copy.copy(copy, position(), position());
    else copy.fill(Math.floor(random() * 256), position(), position());
  }
  return random() < 0.1 ? copy.subarray(0, position()) : copy;
}

/** Mutates one entry of an archive. Mutates any other file as a whole. */
function mutateEntry(bytes: Uint8Array, random: () => number): Uint8Array {
  if (bytes[0] !== 0x50) return mutate(bytes, random);
  const entries = unzipSync(bytes);
  const names = Object.keys(entries);
  const name = names[Math.floor(random() * names.length)] ?? '';
  return zipSync({ ...entries, [name]: mutate(entries[name] ?? new Uint8Array(), random) });
}
