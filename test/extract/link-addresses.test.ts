import { describe, expect, test } from 'vitest';
import { defaultExtractLimits } from '../../src/extract/extract-limits.ts';
import type { ExtractedText } from '../../src/extract/extracted-text.ts';
import { readHtml } from '../../src/extract/html/html.ts';
import { readHtmlPage } from '../../src/extract/html/html-page.ts';
import { linkText } from '../../src/extract/link-address.ts';
import { defaultOcrSettings } from '../../src/extract/ocr/ocr-settings.ts';
import { createPageRecognizer } from '../../src/extract/ocr/page-recognizer.ts';
import { readDocx } from '../../src/extract/office/docx.ts';
import { readPptx } from '../../src/extract/office/pptx.ts';
import { readOdt } from '../../src/extract/open-document/odt.ts';
import { readPdf } from '../../src/extract/pdf/pdf.ts';
import { readRtf } from '../../src/extract/rtf/rtf.ts';
import { readXlsx } from '../../src/extract/tables/xlsx.ts';
import { readMarkdown } from '../../src/extract/text-formats/markdown.ts';
import { buildDocx, run, table } from '../fixtures/build-docx.ts';
import { buildOdt } from '../fixtures/build-odt.ts';
import { buildPdf, textAt } from '../fixtures/build-pdf.ts';
import { buildPptx, shape } from '../fixtures/build-pptx.ts';
import { buildXlsx } from '../fixtures/build-xlsx.ts';

const limits = defaultExtractLimits;
const address = 'https://forms.example.com/leave_request?dept=7&x=1#top';
const escaped = address.replace('&', '&amp;');
const sentence = `To ask for leave, fill in the form here (${address}). It takes a day.`;
const before = 'To ask for leave, fill in the form ';
const after = '. It takes a day.';

const html = (body: string) => readHtml(Buffer.from(body), limits);
const markdown = (text: string) => readMarkdown(Buffer.from(text), limits);
const docx = (body: string, addresses: Record<string, string> = { r9: escaped }) =>
  readDocx(buildDocx(body, {}, {}, { document: addresses }), limits);
const link = (text: string, attributes = 'r:id="r9"') =>
  `<w:hyperlink ${attributes}>${text}</w:hyperlink>`;
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const field = (instruction: string, result: string) =>
  `${mark('begin')}<w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>${mark('separate')}${result}${mark('end')}`;
const rtf = (body: string) =>
  readRtf(Buffer.from(String.raw`{\rtf1\ansi\deff0 ${body}\par}`), limits);
const slideRun = (text: string, id?: string) =>
  `<a:r><a:rPr>${id === undefined ? '' : `<a:hlinkClick r:id="${id}"/>`}</a:rPr><a:t>${text}</a:t></a:r>`;
const linkBox = (rectangle: string, target: string) =>
  `<< /Type /Annot /Subtype /Link /Rect [${rectangle}] /A << /S /URI /URI (${target}) >> >>`;
const pdf = async (content: string, annotations: readonly string[]) => {
  const recognizer = createPageRecognizer(
    { ...defaultOcrSettings, mode: 'OFF' },
    limits,
    () => undefined,
  );
  const { text } = await readPdf(buildPdf([{ content, annotations }]), limits, recognizer);
  return text;
};

test.each([
  ['here', 'https://a.example/x', 'here (https://a.example/x)'],
  ['a.example/x', 'https://www.a.example/x/', 'a.example/x'],
  ['See https://a.example/x.', 'https://a.example/x', 'See https://a.example/x.'],
  ['Write to us', 'mailto:a@b.example?subject=Leave', 'Write to us (a@b.example)'],
  ['Call', 'tel:+49 12', 'Call (+49%2012)'],
  ['here', ' HTTPS://a.example/my file ', 'here (HTTPS://a.example/my%20file)'],
  ['', 'https://a.example/logo', ''],
  ['above', '#rules', 'above'],
  ['there', '../other.html', 'there'],
  ['run', 'javascript:alert(1)', 'run'],
  ['open', 'file:///etc/passwd', 'open'],
  ['w'.repeat(2_001), 'https://a.example/x', 'w'.repeat(2_001)],
  ['long', `https://a.example/${'x'.repeat(500)}`, 'long'],
])('%.40s → %.40s', (text, target, expected) => {
  expect(linkText(text, target)).toBe(expected);
});

describe('the address of a link stays beside its words', () => {
  test.each<[string, () => ExtractedText | Promise<ExtractedText>]>([
    ['HTML', () => html(`<p>${before}<a href="${escaped}"><b>here</b></a>${after}</p>`)],
    ['Markdown', () => markdown(`${before}[here](${address})${after}`)],
    ['DOCX', () => docx(`<w:p>${run(before)}${link(run('here'))}${run(after)}</w:p>`)],
    [
      'DOCX, a link with a bookmark',
      () =>
        docx(
          `<w:p>${run(before)}${link(run('here'), 'r:id="r9" w:anchor="top"')}${run(after)}</w:p>`,
          { r9: escaped.replace('#top', '') },
        ),
    ],
    [
      'DOCX, a field',
      () =>
        docx(
          `<w:p>${run(before)}${field(`HYPERLINK "${escaped}" \\o "Form"`, `${run('he')}${run('re')}`)}${run(after)}</w:p>`,
        ),
    ],
    [
      'DOCX, a field in two pieces, in one run',
      () =>
        docx(
          `<w:p>${run(before)}<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPER</w:instrText><w:instrText>LINK "${escaped.replace('#top', '')}" \\l "top"</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>here</w:t><w:fldChar w:fldCharType="end"/></w:r>${run(after)}</w:p>`,
        ),
    ],
    [
      'DOCX, a simple field',
      () =>
        docx(
          `<w:p>${run(before)}<w:fldSimple w:instr=' HYPERLINK "${escaped}" '>${run('here')}</w:fldSimple>${run(after)}</w:p>`,
        ),
    ],
    [
      'PPTX, in two runs',
      async () => {
        const paragraph = `<a:p>${slideRun(before)}${slideRun('he', 'r9')}${slideRun('re', 'r9')}${slideRun(after)}</a:p>`;
        const slides = [{ shapes: shape(null, paragraph), links: { r9: escaped } }];
        const { text, blocks } = await readPptx(buildPptx(slides), limits);
        return { text: text.replace('Slide 1\n\n', ''), blocks };
      },
    ],
    [
      'ODT',
      () =>
        readOdt(
          buildOdt(
            `<text:p>${before}<text:a xlink:type="simple" xlink:href="${escaped}"><text:span>here</text:span></text:a>${after}</text:p>`,
          ),
          limits,
        ),
    ],
    [
      'RTF',
      () =>
        rtf(
          String.raw`${before}{\field{\*\fldinst{HYPERLINK "${address}" }{\*\datafield 00}}{\fldrslt{\ul\cf2 here}}}${after}`,
        ),
    ],
  ])('%s', async (_, read) => {
    expect((await read()).text).toBe(sentence);
  });

  test('XLSX, by relationship and by formula', async () => {
    const formula = (target: string) => ({
      raw: `t="str"><f>HYPERLINK("${target}","open")</f><v>open</v>`,
    });
    const sheet = {
      rows: [
        ['Topic', 'Form', 'Guide'],
        ['Leave', 'here', formula(escaped)],
        ['Travel', 'there', formula('#Sheet2!A1')],
      ],
      links: { r9: escaped },
      after:
        '<hyperlinks><hyperlink ref="B2:B3" r:id="r9"/><hyperlink ref="B3" location="Sheet2!A1"/><hyperlink ref="Z9" r:id="r9"/></hyperlinks>',
    };
    expect((await readXlsx(buildXlsx([sheet]), limits)).text).toBe(
      `Topic: Leave; Form: here (${address}); Guide: open (${address})\nTopic: Travel; Form: there; Guide: open`,
    );
  });

  test('PDF, before the punctuation and words after it, and once for a link over two lines', async () => {
    const words = 'To ask for leave, fill in the form here. It takes a day.';
    const inLine = await pdf(textAt(72, 700, words), [linkBox('211 697 231 711', address)]);
    expect(inLine).toBe(sentence);
    const twoLines = `${textAt(72, 700, 'To ask for leave, you will have to fill in the')}${textAt(72, 688, 'new form of the office of staff, and then wait for a day.')}`;
    const text = await pdf(twoLines, [
      linkBox('200 698 290 710', address),
      linkBox('72 686 110 698', address),
    ]);
    expect(text).toBe(
      `To ask for leave, you will have to fill in the new form (${address}) of the office of staff, and then wait for a day.`,
    );
  });

  test('in tables and notes', async () => {
    const cells = `<table><tr><td>Leave<td><a href="${escaped}">form</a>`;
    expect((await html(cells)).text).toBe(`Leave | form (${address})`);
    const cell = `<w:tc><w:p>${link(run('form'))}</w:p></w:tc>`;
    expect((await docx(table([['Leave', cell]]))).text).toBe(`Leave | form (${address})`);
    const note = buildDocx(
      `<w:p>${run('Leave')}<w:r><w:footnoteReference w:id="2"/></w:r>${link(run('Elsewhere'))}</w:p>`,
      { footnotes: `<w:footnote w:id="2"><w:p>${link(run('form'))}</w:p></w:footnote>` },
      {},
      { footnotes: { r9: escaped } },
    );
    expect((await readDocx(note, limits)).text).toBe(`LeaveElsewhere\n\nform (${address})`);
  });

  test('on pages of websites, whose Markdown is read again', async () => {
    const page = `<h1>Leave</h1><p>${before}<a href="${escaped}">here</a>${after}</p>`;
    const { markdown: text } = await readHtmlPage(Buffer.from(page), limits);
    expect((await markdown(text)).text).toBe(`Leave\n\n${sentence}`);
    for (const line of [
      'See https://a.example:8080/~ann/_x*y*z?a=_b&copy;#top, ~not~ this *one*.',
      'At xhttps://a.example/~ann~ and https://~a.example/~ and # a, C# and #b ##',
      '#1 of https://a.example/#/route or (https://a.example/~x~)',
      'https://a.example?_q_ and https://a.example/a_b_c.',
    ]) {
      const lines = await readHtmlPage(Buffer.from(`<p>${line.replace('&', '&amp;')}`), limits);
      expect((await markdown(lines.markdown)).text).toBe(line);
    }
  });
});

describe('what no reader needs is left out', () => {
  test('HTML: headings, the fourth address of a paragraph, and links without words', async () => {
    const links = [1, 2, 3, 4].map((at) => `<a href="https://a.example/${at}">${at}</a>`);
    const page = `<h2><a href="https://a.example/h">Rules</a></h2><p>${links.join(' ')} <a href="mailto:a@b.example">Ann</a>
      <p><a href="https://a.example/x"><img src=x></a> <a href="tel:12"><svg></svg></a> ${links[3]}`;
    expect((await html(page)).text).toBe(
      'Rules\n\n1 (https://a.example/1) 2 (https://a.example/2) 3 (https://a.example/3) 4 Ann (a@b.example)\n\n12 4 (https://a.example/4)',
    );
  });

  test('DOCX: fields that compute, and fields without an end, keep their text', async () => {
    const page = field('PAGE', run('7'));
    const nested = field(
      'IF 1 = 1',
      `${run('see ')}${field(`HYPERLINK "${escaped}"`, run('form'))}`,
    );
    expect((await docx(`<w:p>${run('Page ')}${page}${run(', ')}${nested}</w:p>`)).text).toBe(
      `Page 7, see form (${address})`,
    );
    const open = `${mark('begin')}${mark('separate')}${run('two ')}${mark('begin')}${run('three')}`;
    expect((await docx(`<w:p>${mark('end')}${run('one ')}${open}</w:p>`)).text).toBe(
      'one two three',
    );
  });
});

describe('many links are read in linear time', () => {
  const count = 20_000;
  const repeated = (text: string) => text.repeat(count);

  test('HTML', async () => {
    const { text } = await html(`<p>${repeated(`<a href="mailto:a@b.example">Ann</a> `)}`);
    expect(text).toHaveLength(count * 'Ann (a@b.example) '.length - 1);
    const nested = `<p>${'<a href="https://a.example">x '.repeat(200)}`;
    expect((await html(nested)).text).toContain('x (https://a.example)');
  });

  test('DOCX', async () => {
    const fields = repeated(field('HYPERLINK "https://a.example/x"', run('x')));
    expect((await docx(`<w:p>${fields}</w:p>`)).text).toHaveLength(count * 23);
    const nested = repeated(`${mark('begin')}${mark('separate')}${run('x')}`);
    expect((await docx(`<w:p>${nested}${repeated(mark('end'))}</w:p>`)).text).toHaveLength(count);
  });
});
