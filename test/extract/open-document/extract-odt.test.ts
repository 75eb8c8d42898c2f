import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readOdt } from '../../../src/extract/open-document/odt.ts';
import { buildOdt } from '../../fixtures/build-odt.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = async (...parameters: Parameters<typeof buildOdt>) =>
  describeBlocks(await readOdt(buildOdt(...parameters), defaultExtractLimits));

test('titles, headings and paragraphs are read with spaces, breaks and links', async () => {
  const styles = '<style:style style:name="P1" style:parent-style-name="Title"/>';
  const body = `<text:p text:style-name="P1">Guide</text:p><text:h text:outline-level="2">Pool</text:h>
    <text:p>Open<text:s text:c="3"/>daily,
      <text:span>from <text:a>07:00</text:a></text:span><text:tab/>on<text:line-break/>or later.</text:p>`;
  expect(await read(body, { styles })).toEqual([
    'heading1: Guide',
    'heading2: Pool',
    'paragraph: Open daily, from 07:00 on\nor later.',
  ]);
});

test('lists have their numbers, levels and further paragraphs', async () => {
  const styles = `<text:list-style style:name="L1">
    <text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=")" text:start-value="4"/>
    <text:list-level-style-number text:level="2" style:num-format="a"/></text:list-style>`;
  const item = (content: string) => `<text:list-item>${content}</text:list-item>`;
  const inner = `<text:list>${item('<text:p>Soap</text:p>')}${item('<text:p>Towel</text:p>')}</text:list>`;
  const body = `<text:list text:style-name="L1">${item(`<text:p>Shower</text:p><text:p>Warm.</text:p>${inner}`)}
    ${item('<text:p>Swim</text:p>')}</text:list><text:list>${item('<text:p>Bullet</text:p>')}</text:list>`;
  expect(await read(body, { styles })).toEqual([
    'list-item: 4) Shower',
    'paragraph: Warm.',
    'list-item:   a. Soap',
    'list-item:   b. Towel',
    'list-item: 5) Swim',
    'list-item: - Bullet',
  ]);
});

test('prompts of fields and of empty controls are omitted', async () => {
  const body = `<text:p>Room: <loext:content-control>Lathe room 4</loext:content-control></text:p>
    <text:p>Holder: <loext:content-control loext:showing-place-holder="true">Choose an item</loext:content-control></text:p>
    <text:p>By: <text:placeholder text:placeholder-type="text">&lt;Name&gt;</text:placeholder></text:p>`;
  expect(await read(body)).toEqual([
    'paragraph: Room: Lathe room 4',
    'paragraph: Holder: –',
    'paragraph: By: –',
  ]);
});

test('joined cells fill what they cover, and column names of two rows are joined', async () => {
  const cell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
  const covered = (count: number) =>
    `<table:covered-table-cell table:number-columns-repeated="${count}"/>`;
  const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
  const across = 'table:number-columns-spanned="2"';
  const body = `<table:table>${row(`${cell('Rota', 'table:number-columns-spanned="3"')}${covered(2)}`)}
    ${row(`${cell('Room', 'table:number-rows-spanned="2"')}${cell('Morning', across)}${covered(1)}`)}
    ${row(`${covered(1)}${cell('Early')}${cell('Late')}`)}
    ${row(`${cell('Hall')}${cell('Ines', `${across} table:number-rows-spanned="2"`)}${covered(1)}`)}
    ${row(`${cell('Pool')}${covered(2)}`)}</table:table>`;
  expect(await read(body)).toEqual([
    'paragraph: Rota',
    'table-row: Room: Hall; Morning Early: Ines; Morning Late: Ines',
    'table-row: Room: Pool; Morning Early: Ines; Morning Late: Ines',
  ]);
});

test('a table row is one line, and cells that span rows repeat their label', async () => {
  const cell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
  const body = `<table:table><table:table-header-rows><table:table-row>${cell('Floor')}${cell('Room')}${cell('Price')}
    </table:table-row></table:table-header-rows>
    <table:table-row>${cell('First', 'table:number-rows-spanned="2"')}${cell('101')}${cell('89')}</table:table-row>
    <table:table-row><table:covered-table-cell/>${cell('102')}${cell('95')}</table:table-row>
    <table:table-row>${cell('x', 'table:number-columns-repeated="2"')}${cell('', 'table:number-columns-repeated="99999999"')}</table:table-row>
    </table:table>`;
  expect(await read(body)).toEqual([
    'table-row: Floor | Room | Price',
    'table-row: First | 101 | 89',
    'table-row: First | 102 | 95',
    'table-row: x | x',
  ]);
});

test('notes and text boxes follow their paragraph; deleted text and comments are omitted', async () => {
  const body = `<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>
    <text:section><text:p>Pool<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Closed on
    Mondays.</text:p></text:note-body></text:note> and sauna<office:annotation><text:p>Really?</text:p></office:annotation>
    <draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame></text:p></text:section>`;
  expect(await read(body)).toEqual([
    'paragraph: Pool and sauna',
    'paragraph: Closed on Mondays.',
    'paragraph: Boxed',
  ]);
});

test('fields and marked text are read, without descriptions of drawings', async () => {
  const frame =
    '<draw:frame><svg:title>Map</svg:title><svg:desc>of the pool</svg:desc></draw:frame>';
  const body = `<text:p>See <text:title>Guide</text:title> at <text:meta>the <text:span>pool</text:span></text:meta>${frame}</text:p>`;
  expect(await read(body)).toEqual(['paragraph: See Guide at the pool']);
});

test('the paragraphs of a shape follow the paragraph that it is anchored in', async () => {
  const shape =
    '<draw:custom-shape><svg:title>Box</svg:title><text:p>One</text:p><text:p>Two</text:p></draw:custom-shape>';
  const group = `<draw:g><svg:desc>Both</svg:desc><draw:rect><text:list><text:list-item><text:p>Three</text:p></text:list-item></text:list></draw:rect></draw:g>`;
  expect(await read(`<text:p>Pool${shape} and${group} sauna</text:p>`)).toEqual([
    'paragraph: Pool and sauna',
    'paragraph: One',
    'paragraph: Two',
    'list-item: - Three',
  ]);
});

test('repeated spaces and cells are limited', async () => {
  const [block = ''] = await read('<text:p>a<text:s text:c="999999999"/>b</text:p>');
  expect(block).toBe('paragraph: a b');
  const cell =
    '<table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p></table:table-cell>';
  const [row = ''] = await read(
    `<table:table><table:table-row>${cell}</table:table-row></table:table>`,
  );
  expect(row.length).toBeLessThan(500);
});

test('damaged, encrypted, empty and hostile files have their error codes', async () => {
  const rejects = (bytes: Uint8Array, code: string) =>
    expect(readOdt(bytes, defaultExtractLimits)).rejects.toMatchObject({ code });
  const whole = buildOdt('<text:p>Hello</text:p>');
  await rejects(whole.subarray(0, whole.length / 2), 'CORRUPT_FILE');
  await rejects(zipSync({ a: strToU8('b') }), 'CORRUPT_FILE');
  await rejects(buildOdt('', { manifest: '<manifest:encryption-data/>' }), 'ENCRYPTED');
  await rejects(buildOdt('<text:p/>'), 'EMPTY_TEXT');
  await rejects(zipSync({ 'content.xml': new Uint8Array(30_000_000) }), 'TOO_LARGE');
  const deep = `${'<text:section>'.repeat(3_000)}${'</text:section>'.repeat(3_000)}`;
  await rejects(buildOdt(deep), 'TOO_LARGE');
  const entity = '<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>';
  await rejects(zipSync({ 'content.xml': strToU8(entity) }), 'CORRUPT_FILE');
});

test('headings have the numbers of the outline, and lists continue other lists', async () => {
  const level = (at: number, format: string, more = '') =>
    `<text:outline-level-style text:level="${at}" style:num-format="${format}" ${more}/>`;
  const outline = `<text:outline-style>${level(1, '1')}${level(2, '1', 'text:display-levels="2"')}
    ${level(3, '')}</text:outline-style>
    <style:style style:name="Plain" style:list-style-name=""/>
    <text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="(" style:num-suffix=")"/>
    <text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix="." text:display-levels="2"/></text:list-style>`;
  const heading = (at: number, text: string, more = '') =>
    `<text:h text:outline-level="${at}" ${more}>${text}</text:h>`;
  const list = (texts: string, more = '') =>
    `<text:list text:style-name="L" ${more}>${texts}</text:list>`;
  const item = (text: string, more = '') =>
    `<text:list-item ${more}><text:p>${text}</text:p></text:list-item>`;
  const inner = `<text:list-item><text:p>Two</text:p><text:list>${item('Inner')}</text:list></text:list-item>`;
  const body =
    heading(1, 'Scope') +
    heading(1, 'Preface', 'text:style-name="Plain"') +
    heading(1, 'Berths') +
    heading(2, 'Booking') +
    heading(2, 'Fees', 'text:restart-numbering="true" text:start-value="7"') +
    heading(3, 'Ice') +
    heading(1, 'Theft') +
    heading(2, 'Storm') +
    list(item('One') + inner, 'xml:id="first"') +
    list(item('Other')) +
    list(item('Three'), 'text:continue-list="first"') +
    list(item('Four') + item('Nine', 'text:start-value="9"'), 'text:continue-numbering="true"');
  expect(await read(body, { styles: outline })).toEqual([
    'heading1: 1 Scope',
    'heading1: Preface',
    'heading1: 2 Berths',
    'heading2: 2.1 Booking',
    'heading2: 2.7 Fees',
    'heading3: Ice',
    'heading1: 3 Theft',
    'heading2: 3.1 Storm',
    'list-item: (1) One',
    'list-item: (2) Two',
    'list-item:   2.a. Inner',
    'list-item: (1) Other',
    'list-item: (3) Three',
    'list-item: (4) Four',
    'list-item: (9) Nine',
  ]);
});
