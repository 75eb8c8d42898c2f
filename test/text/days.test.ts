import { describe, expect, test } from 'vitest';
import { dayTerms, findDays, withDaysOf } from '../../src/text/days.ts';
import { tokenize } from '../../src/text/tokenize.ts';

test.each([
  '2026-03-04',
  '2026/03/04',
  '2026.3.4',
  '04.03.2026',
  '4.3.2026',
  '4/3/2026',
  '4 March 2026',
  '4th of March, 2026',
  'March 4, 2026',
  'march 4th 2026',
  '4. März 2026',
  '4 de marzo de 2026',
  '4 février 2026',
  '4 марта 2026',
  '2026年3月4日',
])('%s is a day', (written) => {
  const text = `Straße: ${written} at 10.`;
  const [found, another] = findDays(text);
  expect(text.slice(found?.start, found?.end)).toBe(written);
  expect(found).toMatchObject({ year: 2026, month: written.includes('février') ? 2 : 3, day: 4 });
  expect(another).toBeUndefined();
});

test.each(['May 2026', '2026', '1.520', 'version 4.3.2', '13/14/2026', '31', 'rooms 4-3-2026-7a'])(
  '%s is no day',
  (text) => {
    expect(findDays(text)).toEqual([]);
  },
);

test('a day after the twelfth of a month shows the order', () => {
  expect(findDays('9/30/2026 and 30/9/2026')).toMatchObject([
    { month: 9, day: 30 },
    { month: 9, day: 30 },
  ]);
});

describe('a question is asked with the days as the texts write them', () => {
  const texts = ['date: 2026-03-04; keeper: Kai', 'The office opened on 14 May 1998.'];
  test.each([
    ['Who is on watch on March 4th, 2026, and why?', 'Who is on watch on 2026-03-04, and why?'],
    ['Who is on watch on 4 March?', 'Who is on watch on 2026-03-04?'],
    ['Who is the keeper on 04.03.2026?', 'Who is the keeper on 2026-03-04?'],
    ['What opened on 1998-05-14 or 14.5.1998?', 'What opened on 14 May 1998 or 14 May 1998?'],
    ['And on 4 March 2025?', 'And on 4 March 2025?'],
    ['And in May 1998?', 'And in May 1998?'],
  ])('%s', (question, expected) => {
    expect(withDaysOf(texts, question)).toBe(expected);
  });

  test('unless the texts name the day in several years', () => {
    expect(withDaysOf([...texts, '2027-03-04'], 'On 4 March?')).toBe('On 4 March?');
  });
});

test('the terms of a day are those of the index', () => {
  const early = ['2026.03.04', '2026.3.4', '04.03.2026', '4.3.2026'];
  expect(dayTerms('on 4 March 2026')).toEqual(early);
  const late = ['2026.09.30', '2026.9.30', '30.09.2026', '30.9.2026', '09.30.2026', '9.30.2026'];
  expect(dayTerms('on 30 September 2026')).toEqual(late);
  expect(dayTerms('on 4 March')).toEqual([]);
  for (const written of ['2026-03-04', '04.03.2026', '4/3/2026']) {
    expect(early).toContain(tokenize(written)[0]?.[0]);
  }
});
