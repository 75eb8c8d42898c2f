import { expect, test } from 'vitest';
import { contentTerms } from '../../src/text/terms.ts';

test.each([
  ['Who is the head of IT?', ['head', 'IT']],
  ['The WHO liaison is Ruth Abebe.', ['WHO', 'liaison', 'ruth', 'abeb']],
  ["IT's extension", ['IT', 's', 'exten']],
  ['Is it in the US?', ['US']],
  ['In May parcels leave on Thursdays.', ['MAY', 'parcel', 'leav', 'thursdai']],
  ['On which day do parcels leave in May?', ['dai', 'parcel', 'leav', 'MAY']],
  ['on 14 May 1998 or May 15', ['14', 'MAY', '1998', 'MAY', '15']],
  ['Will Becker repairs printers.', ['WILL', 'becker', 'repair', 'printer']],
  ['What does Will repair?', ['WILL', 'repair']],
  ['May Lindqvist repairs phones.', ['MAY', 'lindqvist', 'repair', 'phone']],
])('a name that is also a function word is a term: %s', (text, terms) => {
  expect(contentTerms(text)).toEqual(terms);
});

test.each([
  ['Will it open today?', ['open', 'todai']],
  ['Will Microsoft refund it?', ['microsoft', 'refund']],
  ['May I bring a dog?', ['bring', 'dog']],
  ['You may not. It is for us. Who is it?', []],
  ['Guests MAY NOT smoke and will be told', ['guest', 'smoke', 'told']],
  ['What You May Claim', ['claim']],
  ['WHO IS IT FOR', []],
  ['Who IS IT for', []],
  ['What happened on the 14th?', ['14', 'th']],
  ['Was ist passiert?', []],
  ['How It Works In Detail', ['work', 'detail']],
])('function words are left out: %s', (text, terms) => {
  expect(contentTerms(text)).toEqual(terms);
});

test('"happen" is a word of other questions', () => {
  expect(contentTerms('Where did it happen?')).toEqual(['happen']);
});
