import { describe, expect, test } from 'vitest';
import { haveSameForm } from '../../../src/models/extractive/sentence-form.ts';
import { askBuiltIn } from '../../support/evaluation/ask-built-in.ts';

const directory = `# Directory

The head of HR is Lena Fuchs, extension 210.

The head of IT is Omar Reyes, extension 305.

The head of QA is Nils Berg, extension 417.

The WHO liaison is Ruth Abebe, extension 748.

The UNESCO liaison is Karl Vogt, extension 859.`;
const dispatch =
  'In March parcels leave on Mondays. In May parcels leave on Thursdays. In June parcels leave on Fridays.';
const team = 'Will Becker repairs printers. Mark Olsen repairs scanners. May Lind repairs phones.';
const licences =
  'Licence A costs 1,250 euros and allows 12,500 landings. Licence B costs 1,520 euros and allows 15,200 landings.';

describe('of several sentences alike, only the one that is asked for is the answer', () => {
  test.each([
    ['Who is the head of IT?', directory, 'The head of IT is Omar Reyes, extension 305. [1]'],
    ['Who is the WHO liaison?', directory, 'The WHO liaison is Ruth Abebe, extension 748. [1]'],
    ['On which day do parcels leave in May?', dispatch, 'In May parcels leave on Thursdays. [1]'],
    ['What does Will repair?', team, 'Will Becker repairs printers. [1]'],
    [
      'Which licence costs 1520 euros?',
      licences,
      'Licence B costs 1,520 euros and allows 15,200 landings. [1]',
    ],
  ])('%s', async (question, text, answer) => {
    expect(await askBuiltIn(question, text)).toBe(answer);
  });

  test('and both if both are asked for', async () => {
    const answer = await askBuiltIn('Who are the heads of IT and QA?', directory);
    expect(answer).toContain('Omar Reyes');
    expect(answer).toContain('Nils Berg');
    expect(answer).not.toContain('Lena Fuchs');
  });
});

test('the row of the day is the answer, and not those of other days', async () => {
  const rows = ['03-03', '03-04', '03-13', '04-03', '04-04'].map(
    (day, index) =>
      `date: 2026-${day}; watch keeper: ${['Jana', 'Kai', 'Lea', 'Ole', 'Pia'][index]} Holt`,
  );
  const answer = await askBuiltIn('Who is the watch keeper on 2026-03-04?', rows.join('\n'));
  expect(answer).toBe('watch keeper: Kai Holt. [1]');
});

test('an event of the day is the answer, without the other events of its paragraph', async () => {
  const history = 'The office opened on 14 May 1998. The old pier was closed on 5/9/2003.';
  const answer = await askBuiltIn('What happened on 1998-05-14?', history);
  expect(answer).toBe('The office opened on 14 May 1998. [1]');
});

test('what is not asked for is no part of the answer, though it is said alike', async () => {
  const rooms = 'Room Oak and room Elm have no balcony. Room Ash and room Fir have a balcony.';
  const answer = await askBuiltIn('Which rooms have no balcony?', rooms);
  expect(answer).toBe('Room Oak and room Elm have no balcony. [1]');
});

test('a section that is asked for by its number is named', async () => {
  const rules = '## Article 42 Prizes\n\nThe winner gets a silver oar.';
  expect(await askBuiltIn('What is article 42 about?', rules)).toMatch(/^Article 42 Prizes: The/);
});

test.each([
  ['In May parcels leave on Thursdays.', 'In June parcels leave on Fridays.', true],
  ['The head of IT is Omar Reyes.', 'The head of quality is Nils Berg.', true],
  ['Tents are washed by hand.', 'Do not dry them in the sun.', false],
  ['Yes.', 'No.', false],
  [`a b c d ${'x '.repeat(50)}`, `a b c d ${'y '.repeat(50)}`, false],
])('"%s" and "%s" have the same form: %s', (left, right, expected) => {
  expect(haveSameForm(left, right)).toBe(expected);
});
