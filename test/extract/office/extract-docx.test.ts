import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readDocx } from '../../../src/extract/office/docx.ts';
import { buildDocx, paragraph, run, table } from '../../fixtures/build-docx.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

async function read(body: string, parts: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return describeBlocks(await readDocx(buildDocx(body, parts), defaultExtractLimits));
}

const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
const numbered = (level: number) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;

test('headings are recognized by style name, in every language, and by outline level', async () => {
  const styles = `<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
    <w:style w:styleId="Own"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>`;
  const body =
    paragraph('Pool', style('berschrift2')) +
    paragraph('Sauna', style('Own')) +
    paragraph('Gym', '<w:outlineLvl w:val="0"/>') +
    paragraph('Open daily.');
  expect(await read(body, { styles })).toEqual([
    'heading2: Pool',
    'heading2: Sauna',
    'heading1: Gym',
    'paragraph: Open daily.',
  ]);
});

test('numbered paragraphs contain the number that Word prints', async () => {
  const numbering = `<w:abstractNum w:abstractNumId="0">
    <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
    </w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
  const body = [0, 1, 1, 0, 1].map((level) => paragraph('Item', numbered(level))).join('');
  expect(await read(body, { numbering })).toEqual([
    'list-item: 1. Item',
    'list-item: 1.a) Item',
    'list-item: 1.b) Item',
    'list-item: 2. Item',
    'list-item: 2.a) Item',
  ]);
});

test('a table row is one line, and merged cells repeat their label', async () => {
  const merged = (text: string, value: string) =>
    `<w:tc><w:tcPr><w:vMerge ${value}/></w:tcPr>${paragraph(text)}</w:tc>`;
  const rows = [
    ['Floor', 'Room', 'Price'],
    [merged('First', 'w:val="restart"'), '101', '89'],
    [merged('', ''), '102', '95'],
  ];
  expect(await read(table(rows))).toEqual([
    'table-row: Floor | Room | Price',
    'table-row: First | 101 | 89',
    'table-row: First | 102 | 95',
  ]);
});

test('cells over columns and rows fill all of them, and empty cells keep their column', async () => {
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
  const rows = [
    [cell('Rota', '<w:gridSpan w:val="3"/>')],
    ['Week', 'Mon', 'Tue'],
    ['W 10', cell('Ines', '<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>')],
    ['W 11', cell('', '<w:gridSpan w:val="2"/><w:vMerge/>')],
    ['W 12', '', 'Vera'],
    [cell('Hugo', '<w:hMerge w:val="restart"/>'), cell('', '<w:hMerge/>'), 'Kim'],
  ];
  expect(await read(table(rows))).toEqual([
    'paragraph: Rota',
    'table-row: Week | Mon | Tue',
    'table-row: W 10 | Ines | Ines',
    'table-row: W 11 | Ines | Ines',
    'table-row: W 12 |  | Vera',
    'table-row: Hugo | Hugo | Kim',
  ]);
});

test('column names of two rows are joined', async () => {
  const cell = (text: string, properties: string) =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
  const rows = [
    [cell('Room', '<w:vMerge w:val="restart"/>'), cell('Morning', '<w:gridSpan w:val="2"/>')],
    [cell('', '<w:vMerge/>'), 'Early', 'Late'],
    ['Hall', 'Ines', 'Paulo'],
  ];
  expect(await read(table(rows))).toEqual([
    'table-row: Room: Hall; Morning Early: Ines; Morning Late: Paulo',
  ]);
});

test.each([
  ['the property of empty controls', '<w:showingPlcHdr/>', ''],
  ['the style of placeholders', '', '<w:rStyle w:val="PlaceholderText"/>'],
  ['its name in another language', '', '<w:rStyle w:val="Platzhaltertext"/>'],
])('prompts are recognized by %s', async (_, properties, style) => {
  const control = (content: string, more = '') =>
    `<w:sdt><w:sdtPr>${more}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  const prompt = (text: string) => run(text, style);
  const styles =
    '<w:style w:styleId="Platzhaltertext"><w:name w:val="Placeholder Text"/></w:style>';
  const body = [
    `<w:p>${run('Room:')}${control(run(' Lathe room 4'))}</w:p>`,
    `<w:p>${run('Holder:')}${control(prompt(' Click here.'), properties)}${run(' Due: 3 May')}</w:p>`,
    control(`<w:p>${prompt('Wählen Sie ein Element aus.')}</w:p>`, properties),
    table([
      ['Key', 'Value'],
      ['Due', `<w:tc><w:p>${control(prompt('A date.'), properties)}</w:p></w:tc>`],
    ]),
    `<w:tbl><w:tr><w:tc>${paragraph('By')}</w:tc>${control(`<w:tc><w:p>${prompt('A name.')}</w:p></w:tc>`, properties)}</w:tr></w:tbl>`,
    control(`<w:p>${run('Kept')}</w:p>`, '<w:showingPlcHdr w:val="0"/>'),
  ].join('');
  const header = control(`<w:p>${prompt('Title of the document')}</w:p>`, properties);
  expect(await read(body, { styles, header1: header })).toEqual([
    'paragraph: Room: Lathe room 4',
    'paragraph: Holder: – Due: 3 May',
    'table-row: Key | Value',
    'table-row: Due |',
    'table-row: By',
    'paragraph: Kept',
  ]);
});

test('a table within a cell is read within the row', async () => {
  const inner = `<w:tc>${table([
    ['a', 'b'],
    ['c', 'd'],
  ])}<w:p/></w:tc>`;
  expect(await read(table([['Left', inner]]))).toEqual(['table-row: Left | a, b; c, d']);
});

test('tracked changes count as accepted; comments and hidden text are omitted', async () => {
  const body = `<w:p>${run('Open ')}<w:del><w:r><w:delText>never</w:delText></w:r></w:del>
    <w:ins>${run('daily')}</w:ins><w:commentRangeStart w:id="1"/>${run('.')}
    <w:r><w:commentReference w:id="1"/></w:r>${run(' Secret.', '<w:vanish/>')}
    <w:moveFrom>${run('moved')}</w:moveFrom></w:p>`;
  expect(
    await read(body, { comments: `<w:comment w:id="1">${paragraph('Really?')}</w:comment>` }),
  ).toEqual(['paragraph: Open daily.']);
});

test('footnotes and endnotes follow the paragraph that refers to them', async () => {
  const note = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const body = `<w:p>${run('Pool')}${note('footnote', 2)}${run(' and sauna')}${note('endnote', 5)}</w:p>`;
  const footnotes = `<w:footnote w:id="0" w:type="separator">${paragraph('-----x')}</w:footnote>
    <w:footnote w:id="2">${paragraph('Closed on Mondays.')}</w:footnote>`;
  const endnotes = `<w:endnote w:id="5">${paragraph('From 16.')}</w:endnote>`;
  expect(await read(body + paragraph('Next.'), { footnotes, endnotes })).toEqual([
    'paragraph: Pool and sauna',
    'paragraph: Closed on Mondays.',
    'paragraph: From 16.',
    'paragraph: Next.',
  ]);
});

test('a text box is read once, although the file contains it twice', async () => {
  const content = `<w:txbxContent>${paragraph('Boxed')}</w:txbxContent>`;
  const body = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx>${content}</wps:txbx></mc:Choice>
    <mc:Fallback><v:textbox>${content}</v:textbox></mc:Fallback></mc:AlternateContent></w:r>${run('Beside')}</w:p>`;
  expect(await read(body)).toEqual(['paragraph: Beside', 'paragraph: Boxed']);
});

test('links, fields, content controls, symbols, tabs and equations keep their text', async () => {
  const body = `<w:p><w:hyperlink r:id="r9">${run('Link')}</w:hyperlink><w:r><w:tab/></w:r>
    <w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>
    <w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('7')}<w:r><w:fldChar w:fldCharType="end"/></w:r>
    <w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>
    <w:sdt><w:sdtPr/><w:sdtContent>${run(' control ')}</w:sdtContent></w:sdt>
    <m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>
    <w:sdt><w:sdtContent>${paragraph('Inside')}</w:sdtContent></w:sdt>`;
  expect(await read(body)).toEqual(['paragraph: Link 7✓ control a/b', 'paragraph: Inside']);
});

test('page headers and footers are read once each; bare page numbers are omitted', async () => {
  const parts = {
    header1: paragraph('Harbour Lights'),
    header2: paragraph('Harbour Lights'),
    footer1: paragraph('12'),
  };
  expect(await read(paragraph('Body.'), parts)).toEqual([
    'paragraph: Body.',
    'paragraph: Harbour Lights',
  ]);
});

test('the text of diagrams and charts follows the body', async () => {
  const diagramData1 = '<a:pt><a:p><a:r><a:t>Reception</a:t></a:r></a:p></a:pt><c:v>4</c:v>';
  expect(await read(paragraph('Teams:'), { diagramData1 })).toEqual([
    'paragraph: Teams:',
    'paragraph: Reception',
  ]);
});

test('Strict documents are read like Transitional documents', async () => {
  const bytes = zipSync({
    '_rels/.rels': strToU8(
      '<Relationships><Relationship Id="r1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/word/main.xml"/></Relationships>',
    ),
    'word/main.xml': strToU8(
      '\ufeff<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:t>Strict</w:t></w:r></w:p></w:body></w:document>',
    ),
  });
  expect((await readDocx(bytes, defaultExtractLimits)).text).toBe('Strict');
});

test('a short bold paragraph is a heading in documents without styles', async () => {
  const bold = (text: string) => `<w:p>${run(text, '<w:b/>')}</w:p>`;
  expect(await read(bold('Opening hours') + bold('Always open, even at night.'))).toEqual([
    'heading6: Opening hours',
    'paragraph: Always open, even at night.',
  ]);
});

test('a zip bomb is TOO_LARGE before it is unpacked', async () => {
  const bomb = zipSync({ 'word/document.xml': new Uint8Array(30_000_000) });
  expect(bomb.length).toBeLessThan(100_000);
  await expect(readDocx(bomb, defaultExtractLimits)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const many = zipSync(
    Object.fromEntries(
      Array.from({ length: 20_001 }, (_, index) => [`f${index}.xml`, new Uint8Array()]),
    ),
    { level: 0 },
  );
  await expect(readDocx(many, defaultExtractLimits)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const limits = { ...defaultExtractLimits, unpackedBytes: 1_000 };
  await expect(readDocx(buildDocx(paragraph('x'.repeat(2_000))), limits)).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
});

test('entities are never expanded', async () => {
  const document = '<!DOCTYPE d [<!ENTITY a "boom">]><d>&a;</d>';
  const bytes = zipSync({ 'word/document.xml': strToU8(document) });
  await expect(readDocx(bytes, defaultExtractLimits)).rejects.toMatchObject({
    code: 'CORRUPT_FILE',
  });
});

test('a damaged archive is CORRUPT_FILE, and a document without text is EMPTY_TEXT', async () => {
  const whole = buildDocx(paragraph('Hello'));
  const half = whole.subarray(0, whole.length / 2);
  const other = zipSync({ 'hello.txt': strToU8('hello') });
  for (const bytes of [half, other, strToU8('no zip')]) {
    await expect(readDocx(bytes, defaultExtractLimits)).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
    });
  }
  await expect(read('<w:p/>')).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
});

test('the handbook is read with its headings, steps, table and footnote', async () => {
  const bytes = readFileSync(new URL('../../fixtures/handbook.docx', import.meta.url));
  const { text } = await readDocx(bytes, defaultExtractLimits);
  expect(text).toContain('2. Take a deposit of 100 euros by card.');
  expect(text).toContain('Underground garage | 18 euros | 2.05 m');
  expect(text).toContain('The pool is closed for cleaning on the first Monday of each month.');
});
