import { expect, test } from 'vitest';
import { readEpub } from '../../src/extract/epub/epub.ts';
import { defaultExtractLimits as limits } from '../../src/extract/extract-limits.ts';
import type { ExtractedText } from '../../src/extract/extracted-text.ts';
import { readDocx } from '../../src/extract/office/docx.ts';
import { readPptx } from '../../src/extract/office/pptx.ts';
import { readOdt } from '../../src/extract/open-document/odt.ts';
import { readRtf } from '../../src/extract/rtf/rtf.ts';
import { readXlsx } from '../../src/extract/tables/xlsx.ts';
import { readEml } from '../../src/extract/text-formats/eml.ts';
import { listNames, listNumbers } from '../../src/extract/warning-texts.ts';
import { buildDocx, paragraph, run } from '../fixtures/build-docx.ts';
import { buildEpub } from '../fixtures/build-epub.ts';
import { buildOdt } from '../fixtures/build-odt.ts';
import { buildPptx, line, shape } from '../fixtures/build-pptx.ts';
import { buildXlsx } from '../fixtures/build-xlsx.ts';
import { describeBlocks } from '../support/programs/describe-blocks.ts';

const warningsOf = ({ warnings = [] }: ExtractedText) =>
  warnings.map(({ code, message }) => `${code}: ${message}`);

const embedded =
  'left out, such as a table, a formula or a file of another program. Add its content as text, or upload it as a document of its own.';

test('an email names the attachments that are not read, but not the pictures in its text', async () => {
  const part = (headers: string, body = 'AAAA') => `--B\r\n${headers}\r\n\r\n${body}\r\n`;
  const html = part('Content-Type: text/html', '<p>See <img src="cid:1"></p>');
  const email = (...parts: readonly string[]) =>
    Buffer.from(
      `From: a@hotel.example\r\nSubject: Prices\r\nContent-Type: multipart/related; boundary=B\r\n\r\n${parts.join('')}--B--\r\n`,
    );
  const picture = part('Content-Type: image/png\r\nContent-ID: <1>');
  expect(warningsOf(await readEml(email(html, picture), limits))).toEqual([]);
  const pdf = part('Content-Type: application/pdf; name="prices.pdf"');
  const calendar = part('Content-Type: text/calendar');
  expect(warningsOf(await readEml(email(html, picture, pdf, calendar), limits))).toEqual([
    'ATTACHED_FILES: 2 attachments were left out: prices.pdf, text/calendar. Upload them as documents of their own.',
  ]);
  expect(warningsOf(await readEml(email(html, pdf), limits))).toEqual([
    'ATTACHED_FILES: 1 attachment was left out: prices.pdf. Upload it as a document of its own.',
  ]);
});

test('a book names the chapters that it lacks, and chapters without an extension are read', async () => {
  const chapters = { 'text/one': '<p>First.</p>', 'two.xhtml': '<p>Second.</p>' };
  const spine = '<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>';
  const whole = await readEpub(buildEpub(chapters), limits);
  expect(whole.text).toBe('First.\n\nSecond.');
  expect(warningsOf(whole)).toEqual([]);
  const book = buildEpub(chapters, {
    others: {
      'OEBPS/book.opf': `<package><manifest><item id="c0" href="two.xhtml"/>${spine}</manifest>
        <spine><itemref idref="c0"/><itemref idref="gone"/><itemref idref="none"/></spine></package>`,
      'OEBPS/nav.xhtml': '<nav/>',
    },
  });
  expect(warningsOf(await readEpub(book, limits))).toEqual([
    'UNREAD_PARTS: The file lacks 2 chapters that it names: gone.xhtml, none. Save it again in the program that wrote it.',
  ]);
});

test('a workbook names its hidden sheets, rows and columns, comments, objects, and formulas without results', async () => {
  const formula = { raw: '><f>A1*2</f>' };
  const known = { raw: '><f>A1*2</f><v>4</v>' };
  const empty = { raw: 't="str"><f>A1</f><v></v>' };
  const bytes = buildXlsx(
    [
      {
        rows: [
          ['Room', 'Cost', 'Price', 'Tax'],
          ['101', 12, known, formula],
          ['102', 13, empty, formula],
          ['103', 14, 20, 3],
        ],
        before: '<cols><col min="2" max="2" hidden="1"/><col min="30" max="40" hidden="1"/></cols>',
        rowAttributes: { 4: 'hidden="1"', 5: 'hidden="1"' },
        relationships: {
          c: 'comments ../comments1.xml',
          o: 'oleObject ../embeddings/object1.bin',
        },
      },
      { name: 'Old', rows: [['x']], attributes: 'state="hidden"' },
      {
        name: 'Older',
        rows: [['x']],
        attributes: 'state="veryHidden"/><sheet name="Gone" sheetId="9" r:id="none"',
      },
    ],
    {
      parts: {
        'xl/comments1.xml':
          '<comments><commentList><comment/><comment/><comment/></commentList></comments>',
      },
    },
  );
  expect(warningsOf(await readXlsx(bytes, limits))).toEqual([
    'HIDDEN_PARTS: Hidden parts were left out: 2 sheets (Old, Older), 1 row, 1 column. Unhide them to include them.',
    'MISSING_VALUES: The results of 2 formulas are not stored in the file. Open it in a spreadsheet program, and save it again.',
    'COMMENTS: 3 comments were left out.',
    `ATTACHED_FILES: 1 embedded object was ${embedded}`,
    'UNREAD_PARTS: The file lacks 1 sheet that it names: Gone. Save it again in the program that wrote it.',
  ]);
});

test('a presentation names its hidden slides, comments, objects and missing slides', async () => {
  const shapes = shape('type="title"', line('Pool'));
  const bytes = buildPptx(
    [
      { shapes, relationships: { c: 'comments ../comments/one.xml', o: 'package ../x.xlsx' } },
      { shapes, attributes: 'show="0"' },
      { shapes, attributes: 'show="false"' },
    ],
    { 'ppt/comments/one.xml': '<p:cmLst><p:cm/><p:cm/></p:cmLst>' },
  );
  expect(warningsOf(await readPptx(bytes, limits))).toEqual([
    'HIDDEN_PARTS: 2 hidden slides were left out: 2, 3. Unhide slides to include them.',
    'COMMENTS: 2 comments were left out.',
    `ATTACHED_FILES: 1 embedded object was ${embedded}`,
  ]);
});

test('a Word document names hidden text, comments and missing parts', async () => {
  const hidden = `<w:p>${run('Visible')}${run('Secret', '<w:vanish/>')}</w:p>`;
  const comments = '<w:comment w:id="1"><w:p/></w:comment>';
  const included = { 'gone.html': '' };
  const bytes = buildDocx(hidden, { comments }, included);
  expect(warningsOf(await readDocx(bytes, limits))).toEqual([
    'HIDDEN_PARTS: Hidden text was left out. Unhide it in Word to include it.',
    'COMMENTS: 1 comment was left out.',
  ]);
  expect((await readDocx(buildDocx(hidden, { comments: '<w:comment>' }), limits)).text).toBe(
    'Visible',
  );
  const index = `<w:p>${run('Visible')}<w:r><w:rPr><w:vanish/></w:rPr><w:instrText>XE "x"</w:instrText></w:r></w:p>`;
  expect(warningsOf(await readDocx(buildDocx(index), limits))).toEqual([]);
  expect(warningsOf(await readDocx(buildDocx(paragraph('Plain')), limits))).toEqual([]);
});

test('an OpenDocument text is read with formulas, values, headers and footers, and names comments and objects', async () => {
  const object = (name: string) => `<draw:frame><draw:object xlink:href="./${name}"/></draw:frame>`;
  const cell = (attributes: string) => `<table:table-cell ${attributes}/>`;
  const cells = [
    'office:value-type="float" office:value="12.5"',
    'office:value-type="percentage" office:value="0.07"',
    'office:value-type="currency" office:value="9" office:currency="EUR"',
    'office:value-type="date" office:date-value="2026-03-14"',
    'office:value-type="boolean" office:boolean-value="true"',
    'office:value-type="string" office:string-value="late"',
  ];
  const inline = `<draw:object><math:math><math:annotation math:encoding="StarMath 5.0">a over b</math:annotation></math:math></draw:object>`;
  const body = `<text:p>Energy ${object('Object 1')} of mass ${inline}${object('Object 3')}<office:annotation><text:p>Really?</text:p></office:annotation>${object('Object 2')}</text:p>
    <table:table><table:table-row>${cells.map(cell).join('')}</table:table-row></table:table>`;
  const header = (text: string) => `<style:header><text:p>${text}</text:p></style:header>`;
  const text = await readOdt(
    buildOdt(body, {
      others: {
        'Object 1/content.xml':
          '<math><semantics><mi>E</mi><annotation encoding="StarMath 5.0">E = m c^2</annotation></semantics></math>',
        'Object 2/content.xml': '<office:document-content><office:body/></office:document-content>',
        'Object 3/content.xml': `<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD" "math.dtd"><math:math><math:mi>x</math:mi></math:math>`,
        'styles.xml': `<office:document-styles><office:master-styles><style:master-page>${header('Harbour Hotel')}
          <style:footer><text:p>1</text:p></style:footer></style:master-page>
          <style:master-page>${header('Harbour Hotel')}</style:master-page></office:master-styles></office:document-styles>`,
      },
    }),
    limits,
  );
  expect(describeBlocks(text)).toEqual([
    'paragraph: Energy E = m c^2 of mass a over bx',
    'table-row: 12.5 | 7% | 9 EUR | 2026-03-14 | TRUE | late',
    'paragraph: Harbour Hotel',
  ]);
  expect(warningsOf(text)).toEqual([
    'COMMENTS: 1 comment was left out.',
    `ATTACHED_FILES: 1 embedded object was ${embedded}`,
  ]);
});

test('RTF is read with each distinct header and footer at the end, and names comments and objects', () => {
  const body = String.raw`{\header\pard Harbour\par}{\headerl\pard Harbour\par}{\footer\pard\intbl House\cell Rules\cell\row\pard \chpgn\par}
    Pool\par{\*\annotation Really?}{\object\objemb{\*\objdata 0102}{\result Table}}\par`;
  const text = readRtf(Buffer.from(String.raw`{\rtf1\ansi ${body}}`, 'latin1'), limits);
  expect(describeBlocks(text)).toEqual([
    'paragraph: Pool',
    'paragraph: Table',
    'paragraph: Harbour',
    'paragraph: House Rules',
  ]);
  expect(warningsOf(text)).toEqual([
    'COMMENTS: 1 comment was left out.',
    `ATTACHED_FILES: 1 embedded object was ${embedded}`,
  ]);
});

test('lists of names and numbers are short', () => {
  expect(listNames(['a', 'b'])).toBe('a, b');
  expect(listNames(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more');
  expect(listNames([`${'x'.repeat(200)}\n.pdf`])).toHaveLength(80);
  expect(listNumbers([1, 2, 3, 5, 6, 9])).toBe('1 to 3, 5, 6, 9');
  expect(listNumbers(Array.from({ length: 30 }, (_, at) => at * 2))).toMatch(/^0, 2, .*, 18, …$/);
});
