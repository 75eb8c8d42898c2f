import { expect, it } from 'vitest';
import { withWordsOf } from '../../src/text/everyday-words.ts';

it.each([
  ['How do I call off a booking?', 'Cancel the booking.', 'How do I cancel a booking?'],
  ['Which number do I ring?', 'Call 030 118.', 'Which number do I call?'],
  ['Can I bring my Kids?', 'Children are welcome.', 'Can I bring my children?'],
  ['get  rid of a file', 'To delete a file, press D.', 'delete a file'],
])('writes "%s" with the words of: %s', (query, text, expected) => {
  expect(withWordsOf(query, [text])).toBe(expected);
});

it.each([
  ['the texts have the word', 'How do I ring?', 'Ring the bell, then call.'],
  ['the texts have its words', 'when is my money back', 'The money is back soon: refund.'],
  ['the texts have none of the others', 'Can I bring my kids?', 'Dogs are welcome.'],
  ['it is a part of a word', 'Is a ringlet a bird?', 'Call us.'],
  ['there is none', '', 'Call us.'],
  ['it is in another language', 'Wie teuer ist der Ring?', 'Bitte rufen Sie an (call).'],
])('leaves a query unchanged if %s', (_, query, text) => {
  expect(withWordsOf(query, [text])).toBe(query);
});
