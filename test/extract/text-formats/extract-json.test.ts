import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readJson, readJsonLines } from '../../../src/extract/text-formats/json.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const json = async (text: string) =>
  describeBlocks(await readJson(Buffer.from(text), defaultExtractLimits));
const jsonLines = async (text: string) =>
  describeBlocks(await readJsonLines(Buffer.from(text), defaultExtractLimits));
const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');

test('each value of an object has its path, and each record of an array is one row', async () => {
  expect(await json(fixture('hotel.json'))).toEqual([
    'table-row: hotel: Harbour Lights',
    'table-row: address.street: Kaistraße 4',
    'table-row: address.city: Kiel',
    'table-row: address.geo.lat: 54.3213',
    'table-row: address.geo.lon: 10.1349',
    'table-row: languages: English, German, Danish',
    'heading1: rooms',
    'table-row: number: 101; type: Garden; price: 89; beds: double',
    'table-row: number: 201; type: Harbour view; price: 135; balcony: true; beds: double, sofa',
  ]);
});

test('each line of a JSONL file is one row, and long ids keep their digits', async () => {
  const rows = await jsonLines(fixture('faq.jsonl'));
  expect(rows).toEqual([
    'table-row: id: 901827364518273645; question: When is breakfast?; answer: Breakfast is served from 07:00 to 10:30 in the winter garden.; tags: food',
    'table-row: id: 901827364518273646; question: Is there parking?; answer: The garage has 24 places. Reserve one at the reception.; tags: car, arrival',
    'table-row: id: 901827364518273647; question: Are dogs allowed?; answer: Dogs are welcome for 15 euros per night.; contact.phone: +49 431 5550; contact.hours: 08:00-20:00',
  ]);
});

test('numbers are written as in the file', async () => {
  const rows = await json(
    '[{"version": 1.10, "price": 5.00, "share": 0.5, "count": 20, "big": 1e3}]',
  );
  expect(rows.join()).toContain('version: 1.10; price: 5.00; share: 0.5; count: 20; big: 1000');
});

test('records with long texts become sections with the title of the record', async () => {
  const body = `First paragraph. ${'Word '.repeat(100)}\n\nSecond paragraph.`;
  const records = [
    { title: 'Parking', lang: 'en', body },
    { lang: 'de', body: 'Short.' },
  ];
  expect(await json(JSON.stringify({ articles: records }))).toEqual([
    'heading1: articles',
    'heading2: Parking',
    'table-row: lang: en',
    `paragraph: First paragraph. ${'Word '.repeat(100).trim()}`,
    'paragraph: Second paragraph.',
    'heading2: articles[1]',
    'table-row: lang: de; body: Short.',
  ]);
});

test('inner arrays of a record keep their index, and encoded bytes are omitted', async () => {
  const order = {
    id: 7,
    items: [{ name: 'Tea' }, { name: 'Cake' }],
    photo: 'iVBORw0K'.repeat(100),
  };
  expect(await json(JSON.stringify([order]))).toEqual([
    'table-row: id: 7; items[0].name: Tea; items[1].name: Cake',
  ]);
});

test('plain values and arrays of plain values are read', async () => {
  expect(await json('"Open daily"')).toEqual(['table-row: Open daily']);
  expect(await json('\ufeff["Mon", "Tue", 3, false, null]')).toEqual([
    'table-row: Mon, Tue, 3, false',
  ]);
});

test('a .json file with one value per line is read like JSONL', async () => {
  expect(await json('{"a": 1}\r\n{"a": 2}\r\n')).toEqual(['table-row: a: 1', 'table-row: a: 2']);
});

test('invalid JSON is CORRUPT_FILE and names the line', async () => {
  await expect(json('{"a": 1,,}')).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
  await expect(json('{"a": [1, 2')).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
  await expect(jsonLines('{"a": 1}\n\n{"a": ')).rejects.toMatchObject({
    code: 'CORRUPT_FILE',
    message: 'Line 3 is not valid JSON.',
  });
  for (const text of ['', '{}', '[null, ""]', '[[[]]]']) {
    await expect(jsonLines(text)).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
  }
});

test('a million nested arrays are TOO_LARGE', async () => {
  const depth = 1_000_000;
  const text = `${'['.repeat(depth)}{}${']'.repeat(depth)}`;
  await expect(json(text)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(jsonLines(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
});

test('long names are cut, because each value below repeats them', async () => {
  const name = 'n'.repeat(100_000);
  const [row = ''] = await json(JSON.stringify({ [name]: { [name]: { a: 1 } } }));
  expect(row.length).toBeLessThan(400);
  expect(row).toMatch(/n\.a: 1$/);
});
