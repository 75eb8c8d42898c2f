import { describe, expect, test } from 'vitest';
import { defaultExtractLimits } from '../../src/extract/extract-limits.ts';
import type { ExtractedText } from '../../src/extract/extracted-text.ts';
import { readHtml } from '../../src/extract/html/html.ts';
import { readHtmlPage } from '../../src/extract/html/html-page.ts';
import { defaultOcrSettings } from '../../src/extract/ocr/ocr-settings.ts';
import { createPageRecognizer } from '../../src/extract/ocr/page-recognizer.ts';
import { readDocx } from '../../src/extract/office/docx.ts';
import { readPptx } from '../../src/extract/office/pptx.ts';
import { readOdt } from '../../src/extract/open-document/odt.ts';
import { readPdf } from '../../src/extract/pdf/pdf.ts';
import { markRaised, writeRaised } from '../../src/extract/raised-text.ts';
import { readRtf } from '../../src/extract/rtf/rtf.ts';
import { readXlsx } from '../../src/extract/tables/xlsx.ts';
import { readMarkdown } from '../../src/extract/text-formats/markdown.ts';
import { buildDocx, run, table } from '../fixtures/build-docx.ts';
import { buildOdt } from '../fixtures/build-odt.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { buildPptx, shape } from '../fixtures/build-pptx.ts';
import { buildXlsx } from '../fixtures/build-xlsx.ts';

const limits = defaultExtractLimits;
const html = (body: string) => readHtml(Buffer.from(body), limits);
const markdown = (text: string) => readMarkdown(Buffer.from(text), limits);

/** Each row is an input line and its expected text. In the input, `<6>` means a superscript 6. */
test.each([
  // These superscripts are exponents.
  ['10<6> cells, 10<−3> m, 2<10> bytes', '10^6 cells, 10^-3 m, 2^10 bytes'],
  ['120 m<2>, 5 cm<3>, x<4>, 9.81 ms<-2>', '120 m², 5 cm³, x^4, 9.81 ms^-2'],
  ['(a + b)<2>', '(a + b)^2'],
  // These superscripts are note markers.
  ['30<2> days, 110<1>, 1.10<3>', '30[^2] days, 110[^1], 1.10[^3]'],
  ['breakfast<1>, dinner.<2,3> (in summer)<4>', 'breakfast[^1], dinner.[^2,3] (in summer)[^4]'],
  ['<2>Except on Sundays', '2 Except on Sundays'],
  ['<2> Except on Sundays', '2 Except on Sundays'],
  // These superscripts are neither exponents nor note markers.
  ['2<1>/2 cups and <3>/4 of a spoon', '2 1/2 cups and 3/4 of a spoon'],
  ['only 19<99> €, $5<49>', 'only 19.99 €, $5.49'],
  ['at 14<30> Uhr', 'at 14:30 Uhr'],
  ['the 1<st>, 2<nd> and 3<rd>, Acme<TM>', 'the 1st, 2nd and 3rd, AcmeTM'],
  ['breakfast<[1]> and dinner<*>', 'breakfast[1] and dinner*'],
  ['<14>C', '14C'],
])('%s', (line, expected) => {
  const marked = line.replace(/<([^>]*)>/g, (_, text: string) => markRaised(text));
  expect(writeRaised(marked)).toBe(expected);
});

test('marks without a partner, nested marks and long raised text lose no words', () => {
  const [start, end] = ['\ufdd0', '\ufdd1'];
  expect(writeRaised(`a${start}1`)).toBe('a1');
  expect(writeRaised(`a${end}1${start}2${end}`)).toBe('a1[^2]');
  expect(writeRaised(`10${start}${start}6${end}${end}`)).toBe('10^6');
  expect(writeRaised(markRaised('word '.repeat(1_000)))).toBe('word '.repeat(1_000));
});

type Reading = ExtractedText | Promise<ExtractedText>;
const pptx = async (runs: string) => {
  const slide = buildPptx([{ shapes: shape(null, `<a:p>${runs}</a:p>`) }]);
  const { text, blocks } = await readPptx(slide, limits);
  return { text: text.replace('Slide 1\n\n', ''), blocks };
};
const slideRun = (text: string, attributes = '') =>
  `<a:r><a:rPr ${attributes}/><a:t>${text}</a:t></a:r>`;
const odt = (body: string, properties: string) =>
  readOdt(
    buildOdt(`<text:p>${body}</text:p>`, {
      styles: `<style:style style:name="Base" style:family="text"><style:text-properties ${properties}/></style:style>
        <style:style style:name="T1" style:family="text" style:parent-style-name="Base"/>`,
    }),
    limits,
  );
const span = (text: string) => `<text:span text:style-name="T1">${text}</text:span>`;
const rtf = (body: string) =>
  readRtf(Buffer.from(String.raw`{\rtf1\ansi\deff0 ${body}\par}`), limits);
const richCell = (runs: string) =>
  readXlsx(
    buildXlsx([{ rows: [[{ raw: `t="s"><v>0</v>` }]] }], {
      parts: { 'xl/sharedStrings.xml': `<sst><si>${runs}</si></sst>` },
    }),
    limits,
  );
const cellRun = (text: string, properties = '') =>
  `<r><rPr>${properties}</rPr><t xml:space="preserve">${text}</t></r>`;
const pdf = (content: string) =>
  readPdf(
    buildPdf([{ content }]),
    limits,
    createPageRecognizer({ ...defaultOcrSettings, mode: 'OFF' }, limits, () => undefined),
  );
const raisedDocx = (text: string) => run(text, '<w:vertAlign w:val="superscript"/>');

describe('raised digits are not read as a part of the number before them', () => {
  const sentence = 'At most 10^6 cells. Valid for 30[^2] days.';
  test.each<[string, () => Reading]>([
    [
      'DOCX',
      () =>
        readDocx(
          buildDocx(
            `<w:p>${run('At most 10')}${raisedDocx('6')}${run(' cells. Valid for 30')}${raisedDocx('2')}${run(' days.')}</w:p>`,
          ),
          limits,
        ),
    ],
    ['HTML', () => html('<p>At most 10<sup>6</sup> cells. Valid for 30<sup><a>2</a></sup> days.')],
    ['Markdown', () => markdown('At most 10<sup>6</sup> cells. Valid for 30<SUP >2</SUP> days.')],
    [
      'PPTX',
      () =>
        pptx(
          `${slideRun('At most 10')}${slideRun('6', 'baseline="30000"')}${slideRun(' cells. Valid for 30')}${slideRun('2', 'baseline="30%"')}${slideRun(' days.', 'baseline="0"')}`,
        ),
    ],
    [
      'ODT',
      () =>
        odt(
          `At most 10${span('6')} cells. Valid for 30${span('2')} days.`,
          'style:text-position="super 58%"',
        ),
    ],
    ['RTF', () => rtf(String.raw`At most 10{\super 6} cells. Valid for 30\up6 2\up0  days.`)],
    [
      'XLSX',
      () =>
        richCell(
          `${cellRun('At most 10')}${cellRun('6', '<vertAlign val="superscript"/>')}${cellRun(' cells. Valid for 30')}${cellRun('2', '<vertAlign val="superscript"/>')}${cellRun(' days.')}`,
        ),
    ],
    [
      'PDF',
      () =>
        pdf(
          'BT /F1 12 Tf 60 700 Td (At most 10) Tj 5 Ts /F1 7 Tf (6) Tj 0 Ts /F1 12 Tf ( cells. Valid for 30) Tj 5 Ts /F1 7 Tf (2) Tj 0 Ts /F1 12 Tf ( days.) Tj ET',
        ),
    ],
  ])('%s', async (_, read) => {
    expect((await read()).text).toBe(sentence);
  });

  test('in tables', async () => {
    const cell = `<w:tc><w:p>${run('10')}${raisedDocx('6')}</w:p></w:tc>`;
    expect((await readDocx(buildDocx(table([['Limit', cell]])), limits)).text).toBe('Limit | 10^6');
    expect((await html('<table><tr><td>Limit<td>10<sup>6</sup>')).text).toBe('Limit | 10^6');
    expect((await markdown('|Limit|10<sup>6</sup>|\n|-|-|')).text).toBe('Limit | 10^6');
  });

  test('on pages of websites, whose Markdown is read again', async () => {
    const page =
      '<h1>Rules</h1><p>At most 10<sup>6</sup> cells. Valid for 30<sup>2</sup> days.</p>';
    const { markdown: text } = await readHtmlPage(Buffer.from(page), limits);
    expect((await markdown(text)).text).toBe(`Rules\n\n${sentence}`);
  });

  test('in a paragraph of many raised digits, in linear time', async () => {
    const many = Array.from({ length: 20_000 }, () => `${run('10')}${raisedDocx('6')}`).join('');
    expect((await readDocx(buildDocx(`<w:p>${many}</w:p>`), limits)).text).toHaveLength(80_000);
  });
});

describe('struck text is left out', () => {
  const sentence = 'A ticket costs 46 euros.';
  const docx = (properties: string) =>
    readDocx(
      buildDocx(
        `<w:p>${run('A ticket costs ')}${run('41 euros ', properties)}${run('46 euros.')}</w:p>`,
      ),
      limits,
    );
  test.each<[string, () => Reading]>([
    ['DOCX, one line', () => docx('<w:strike/>')],
    ['DOCX, two lines', () => docx('<w:dstrike w:val="true"/>')],
    ['HTML s', () => html('<p>A ticket costs <s>41 euros</s> 46 euros.')],
    ['HTML strike', () => html('<p>A ticket costs <strike>41 euros</strike> 46 euros.')],
    ['HTML del', () => html('<p>A ticket costs <del>41 euros</del> 46 euros.')],
    [
      'HTML style',
      () =>
        html(
          '<p>A ticket costs <i style="color: red; text-decoration: underline line-through">41</i> 46 euros.',
        ),
    ],
    ['Markdown ~~', () => markdown('A ticket costs ~~41 *euros*~~ 46 euros.')],
    ['Markdown tags', () => markdown('A ticket costs <del>41 *euros*</del> 46 euros.')],
    [
      'PPTX',
      () =>
        pptx(
          `${slideRun('A ticket costs ')}${slideRun('41 euros ', 'strike="dblStrike"')}${slideRun('46 euros.', 'strike="noStrike"')}`,
        ),
    ],
    [
      'ODT',
      () =>
        odt(
          `A ticket costs ${span('41 euros ')}46 euros.`,
          'style:text-line-through-style="solid"',
        ),
    ],
    [
      'RTF',
      () =>
        rtf(String.raw`A ticket costs {\strike 41 euros }{\strike0 46} \striked1 x\plain euros.`),
    ],
    [
      'XLSX run',
      () =>
        richCell(
          `${cellRun('A ticket costs ')}${cellRun('41 euros ', '<strike/>')}${cellRun('46 euros.', '<strike val="0"/>')}`,
        ),
    ],
  ])('%s', async (_, read) => {
    expect((await read()).text).toBe(sentence);
  });

  test('XLSX cells, texts and numbers', async () => {
    const rows = [
      ['Ticket', 'Old fare', 'Fare'],
      ['Return', { raw: 's="1"><v>41</v>' }, 46],
      ['Day', { raw: 's="1" t="inlineStr"><is><t>12</t></is>' }, 15],
    ];
    const styles = `<styleSheet><fonts><font/><font><strike/></font></fonts>
      <cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>`;
    const bytes = buildXlsx([{ rows }], { parts: { 'xl/styles.xml': styles } });
    expect((await readXlsx(bytes, limits)).text).toBe(
      'Ticket: Return; Fare: 46\nTicket: Day; Fare: 15',
    );
  });

  test('but a strike that is off, or has no end, hides nothing', async () => {
    expect((await docx('<w:strike w:val="0"/>')).text).toBe('A ticket costs 41 euros 46 euros.');
    expect((await markdown('A ticket <del>costs 41 euros.')).text).toBe('A ticket costs 41 euros.');
  });
});

describe('what is ticked and chosen in a form differs from what is not', () => {
  const docx = (content: string) => readDocx(buildDocx(`<w:p>${content}</w:p>`), limits);
  const field = (data: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r>
     <w:r><w:instrText> FORM </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const box = (state: string) => field(`<w:checkBox><w:default w:val="0"/>${state}</w:checkBox>`);
  const symbol = (font: string, char: string) =>
    `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`;

  test.each([
    ['fields', box('<w:checked/>'), box('<w:checked w:val="0"/>')],
    ['fields with a default', field('<w:checkBox><w:default/></w:checkBox>'), box('')],
    ['Wingdings', symbol('Wingdings', 'F0FE'), symbol('Wingdings', 'F0A8')],
    ['Wingdings 2', symbol('Wingdings 2', 'F052'), symbol('Wingdings 2', 'F0A3')],
  ])('DOCX: %s', async (_, on, off) => {
    const { text } = await docx(`${run('Power: ')}${on}${run(' yes ')}${off}${run(' no')}`);
    expect(text).toBe('Power: ☑ yes ☐ no');
  });

  test('DOCX: the chosen entry of a list', async () => {
    const entries = '<w:listEntry w:val="North"/><w:listEntry w:val="South"/>';
    const list = (result: string) => field(`<w:ddList>${result}${entries}</w:ddList>`);
    expect((await docx(`${run('Pier: ')}${list('<w:result w:val="1"/>')}`)).text).toBe(
      'Pier: South',
    );
    expect((await docx(`${run('Pier: ')}${list('')}`)).text).toBe('Pier: North');
    expect((await docx(`${run('Pier: ')}${list('<w:result w:val="9"/>')}`)).text).toBe('Pier:');
  });

  test('HTML', async () => {
    const form = `<p>Power: <input type=checkbox checked> yes <input type="checkbox"> no
      <input type="checkbox" hidden checked> <input type="text" value="secret"></p>
      <label>Pier: <select><option>North<option selected>South</select></label>
      <table><tr><td>Berth<td><input type="radio" checked> 4</table>
      <input type="checkbox" id="menu"><label for="menu"></label>
      <select><option>English<option>Deutsch</select>`;
    expect((await html(form)).text).toBe('Power: ☑ yes ☐ no\n\nPier: South\n\nBerth | ☑ 4');
  });
});

test('escapes of a spreadsheet are read as the characters that it shows', async () => {
  const text = (raw: string) => richCell(`<t>${raw}</t>`).then((read) => read.text);
  expect(await text('Turn left._x000D_\nWait._x0009_Open.')).toBe('Turn left. Wait. Open.');
  expect(await text('Literal _x005F_x0041_ and _x00e9_')).toBe('Literal _x0041_ and é');
  const formula = { raw: 't="str"><f>A2</f><v>Drain_x000D_ it</v>' };
  const cells = await readXlsx(buildXlsx([{ rows: [[formula]] }]), limits);
  expect(cells.text).toBe('Drain it');
});
