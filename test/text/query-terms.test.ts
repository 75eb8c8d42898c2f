import { expect, test } from 'vitest';
import { queryTerms } from '../../src/text/query-terms.ts';

test('the function words of a German or French query do not find chunks', () => {
  const german = queryTerms('Wie lange kann ich die DVD aus der Bücherei behalten?');
  expect(german).toEqual(expect.arrayContaining(['dvd', 'bucherei', 'behalten']));
  for (const word of ['wie', 'kann', 'ich', 'die', 'aus', 'der'])
    expect(german).not.toContain(word);
  const french = queryTerms('Est-ce que nous avons notre repas à la cantine ?');
  expect(french).toContain('repa');
  for (const word of ['que', 'nous', 'avons', 'la']) expect(french).not.toContain(word);
});

test('an English query keeps them, and a query of little else, too', () => {
  expect(queryTerms('How long can I keep the DVD?')).toEqual(
    expect.arrayContaining(['how', 'can']),
  );
  expect(queryTerms('Wie geht das und warum?').length).toBeGreaterThan(2);
});
