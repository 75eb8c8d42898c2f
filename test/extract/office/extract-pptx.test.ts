import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { chunkText } from '../../../src/extract/chunks/chunk-text.ts';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readPptx } from '../../../src/extract/office/pptx.ts';
import { encryptedOffice } from '../../fixtures/build-office-package.ts';
import { buildPptx, line, type Slide, shape } from '../../fixtures/build-pptx.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = async (slides: readonly Slide[]) =>
  describeBlocks(await readPptx(buildPptx(slides), defaultExtractLimits));

const title = (text: string) => shape('type="title"', line(text));

test('slides are read in their order, with their number as page, their title as heading, and their notes', async () => {
  const slides: Slide[] = [
    {
      shapes:
        shape('type="ctrTitle"', line('Harbour') + line('Lights')) +
        shape('type="subTitle" idx="1"', line('For guests')),
    },
    {
      shapes:
        title('Pool') +
        shape('idx="1"', line('Open daily') + line('Closed at night', '<a:pPr lvl="1"/>')) +
        shape('type="sldNum"', line('2')) +
        shape('type="ftr"', line('Confidential')),
      notes:
        shape('type="sldImg"', line('x')) +
        shape('type="body" idx="1"', line('Mention the towels.')),
    },
  ];
  expect(await read(slides)).toEqual([
    'heading1 (page 1): Harbour Lights',
    'paragraph (page 1): For guests',
    'heading1 (page 2): Pool',
    'list-item (page 2): - Open daily',
    'list-item (page 2):   - Closed at night',
    'paragraph (page 2): Confidential',
    'paragraph (page 2): Mention the towels.',
  ]);
  const chunks = chunkText(await readPptx(buildPptx(slides), defaultExtractLimits));
  expect(chunks.map(({ page }) => page)).toEqual([1, 2]);
});

test('a slide without a title is named by its number, so that it is not below the title before it', async () => {
  expect(
    await read([{ shapes: title('Pool') }, { shapes: shape(null, line('Free text')) }]),
  ).toEqual([
    'heading1 (page 1): Pool',
    'heading1 (page 2): Slide 2',
    'paragraph (page 2): Free text',
  ]);
});

test('bullets and numbers are those of the slide', async () => {
  const auto = '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>';
  const paragraphs =
    line('Steps:', '<a:pPr><a:buNone/></a:pPr>') +
    line('Shower', auto) +
    line('Swim', auto) +
    line('Dry', '<a:pPr><a:buChar char="•"/></a:pPr>') +
    line('First again', auto);
  expect(await read([{ shapes: title('A') + shape('type="body"', paragraphs) }])).toEqual([
    'heading1 (page 1): A',
    'paragraph (page 1): Steps:',
    'list-item (page 1): 3. Shower',
    'list-item (page 1): 4. Swim',
    'list-item (page 1): - Dry',
    'list-item (page 1): 3. First again',
  ]);
});

test('impossible outline levels are limited', async () => {
  const levels = ['-5', '1.5', '99', 'x'];
  const paragraphs = levels.map((lvl) => line(`Level ${lvl}`, `<a:pPr lvl="${lvl}"/>`)).join('');
  expect(await read([{ shapes: title('A') + shape('type="body"', paragraphs) }])).toEqual([
    'heading1 (page 1): A',
    'list-item (page 1): - Level -5',
    'list-item (page 1):   - Level 1.5',
    `list-item (page 1): ${'  '.repeat(8)}- Level 99`,
    'list-item (page 1): - Level x',
  ]);
});

test('tables, groups, diagrams, line breaks and fields are read', async () => {
  const cell = (text: string, attributes = '') =>
    `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
  const table = `<a:tbl><a:tr>${cell('Floor')}${cell('Room')}${cell('Price')}</a:tr>
    <a:tr>${cell('First', 'rowSpan="2"')}${cell('101')}${cell('89')}</a:tr>
    <a:tr>${cell('', 'vMerge="1"')}${cell('102')}${cell('95')}</a:tr>
    <a:tr>${cell('All', 'gridSpan="2"')}${cell('', 'hMerge="1"')}${cell('92')}</a:tr></a:tbl>`;
  const frame = `<p:graphicFrame><a:graphic><a:graphicData>${table}</a:graphicData></a:graphic></p:graphicFrame>`;
  const fields = `<a:p><a:r><a:t>One</a:t></a:r><a:br/><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:fld type="x"><a:t>two</a:t></a:fld></a:p>`;
  const shapes = `${title('A')}${frame}<p:grpSp>${shape(null, fields)}</p:grpSp>`;
  expect(await read([{ shapes, diagram: line('Reception') }])).toEqual([
    'heading1 (page 1): A',
    'table-row (page 1): Floor | Room | Price',
    'table-row (page 1): First | 101 | 89',
    'table-row (page 1): First | 102 | 95',
    'table-row (page 1): All | All | 92',
    'paragraph (page 1): One\ntwo',
    'paragraph (page 1): Reception',
  ]);
});

test('each category of a chart is a row with the values of all series', async () => {
  const points = (...texts: string[]) =>
    texts.map((text, index) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`).join('');
  const series = (name: string, ...values: string[]) =>
    `<c:ser><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx>
    <c:cat><c:strRef><c:f>A2:A3</c:f><c:strCache>${points('Q1', 'Q2')}</c:strCache></c:strRef></c:cat>
    <c:val><c:numRef><c:numCache>${points(...values)}</c:numCache></c:numRef></c:val></c:ser>`;
  const bars = `<c:barChart>${series('Guests', '10', '20')}${series('Rooms', '4')}</c:barChart>`;
  const diagram = `<c:chart><c:title>${line('Per quarter')}</c:title><c:plotArea>${bars}</c:plotArea></c:chart>`;
  expect(await read([{ shapes: title('A'), diagram }])).toEqual([
    'heading1 (page 1): A',
    'paragraph (page 1): Per quarter',
    'table-row (page 1): Q1; Guests: 10; Rooms: 4',
    'table-row (page 1): Q2; Guests: 20',
  ]);
  const levels = `<c:multiLvlStrCache><c:lvl>${points('Q1')}</c:lvl><c:lvl>${points('2026')}</c:lvl></c:multiLvlStrCache>`;
  const nested = `<c:ser><c:cat><c:multiLvlStrRef>${levels}</c:multiLvlStrRef></c:cat><c:val><c:numLit>${points('7')}</c:numLit></c:val></c:ser>`;
  const pie = `<c:chart><c:plotArea><c:pieChart>${nested}</c:pieChart></c:plotArea></c:chart>`;
  expect(await read([{ shapes: '', diagram: pie }])).toEqual([
    'heading1 (page 1): Slide 1',
    'table-row (page 1): Q1; 7',
  ]);
});

test('hidden slides and shapes are omitted, and hidden slides count', async () => {
  const slides: Slide[] = [
    { shapes: title('Old'), attributes: 'show="0"' },
    { shapes: title('New') + shape(null, line('Secret'), 'hidden="1"') },
  ];
  expect(await read(slides)).toEqual(['heading1 (page 2): New']);
});

const rejects = (bytes: Uint8Array, code: string) =>
  expect(readPptx(bytes, defaultExtractLimits)).rejects.toMatchObject({ code });

test('damaged, encrypted, empty and hostile presentations have their error codes', async () => {
  const whole = buildPptx([{ shapes: title('A') }]);
  await rejects(whole.subarray(0, whole.length / 2), 'CORRUPT_FILE');
  await rejects(zipSync({ a: strToU8('b') }), 'CORRUPT_FILE');
  await rejects(encryptedOffice(), 'ENCRYPTED');
  await rejects(buildPptx([{ shapes: '' }]), 'EMPTY_TEXT');
  await rejects(zipSync({ 'ppt/presentation.xml': new Uint8Array(30_000_000) }), 'TOO_LARGE');
  const groups = `${'<p:grpSp>'.repeat(3_000)}${'</p:grpSp>'.repeat(3_000)}`;
  await rejects(buildPptx([{ shapes: groups }]), 'TOO_LARGE');
  const entity = zipSync({
    'ppt/presentation.xml': strToU8('<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>'),
  });
  await rejects(entity, 'CORRUPT_FILE');
});

test('a presentation that shows one long slide thousands of times is TOO_LARGE', async () => {
  const ids = '<p:sldId id="1" r:id="r"/>'.repeat(20_000);
  const slide = `<p:sld><p:cSld><p:spTree>${shape(null, line('word '.repeat(2_000)))}</p:spTree></p:cSld></p:sld>`;
  const bytes = zipSync({
    'ppt/presentation.xml': strToU8(
      `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    ),
    'ppt/_rels/presentation.xml.rels': strToU8(
      '<R><Relationship Id="r" Type="x/slide" Target="s.xml"/></R>',
    ),
    'ppt/s.xml': strToU8(slide),
  });
  await rejects(bytes, 'TOO_LARGE');
});

test.each([
  ['alphaLcParenR', ['c)', 'd)']],
  ['alphaUcPeriod', ['C.', 'D.']],
  ['romanLcParenBoth', ['(iii)', '(iv)']],
  ['romanUcPeriod', ['III.', 'IV.']],
  ['arabicParenR', ['3)', '4)']],
])('numbers have the format of the slide: %s', async (type, markers) => {
  const auto = `<a:pPr><a:buAutoNum type="${type}" startAt="3"/></a:pPr>`;
  const shapes = title('A') + shape('type="body"', line('Shower', auto) + line('Swim', auto));
  expect(await read([{ shapes }])).toEqual([
    'heading1 (page 1): A',
    `list-item (page 1): ${markers[0]} Shower`,
    `list-item (page 1): ${markers[1]} Swim`,
  ]);
});
