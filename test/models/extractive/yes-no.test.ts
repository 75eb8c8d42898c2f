import { expect, test } from 'vitest';
import { yesNoLead } from '../../../src/models/extractive/yes-no.ts';

test.each([
  ['Are sandals allowed?', 'Sandals are not allowed.', 'No.'],
  ['Can tents be exchanged?', 'Tents cannot be exchanged.', 'No.'],
  ['Is smoking permitted?', 'Smoking is prohibited.', 'No.'],
  ['Can I pay by card?', 'You can pay by card.', 'Yes.'],
  [
    'Do I have to repeat the course every year?',
    'All staff must repeat the course annually.',
    'Yes.',
  ],
  [
    'I am on Ubuntu. Does Docling read WMF pictures?',
    'Docling reads WMF pictures only on Windows.',
    'No.',
  ],
  ['Does the Harbour server run on MySQL?', 'The Harbour server runs only on PostgreSQL.', 'No.'],
  ['Will it work without an account?', 'It will work without an account.', 'Yes.'],
  ['Sind Hunde im Restaurant erlaubt?', 'Hunde sind im Restaurant nicht erlaubt.', 'Nein.'],
  ['Can I bring my dog?', 'Dogs are welcome for 12 euros per night.', 'Yes.'],
  ['Can I bring my cat?', 'Cats are not allowed.', 'No.'],
  ['Does useNotify work on PGlite?', 'fromPglite starts it, so useNotify works there.', 'Yes.'],
  [
    'Does it obey a no-printing restriction that is already on the file?',
    'It does not obey restrictions already on the file.',
    'No.',
  ],
  // In these cases, the passage does not answer yes or no.
  ['Can I bring my dog to the pool?', 'Dogs are welcome for 12 euros per night.', null],
  ['Can I bring my dog?', 'Dogs and their owners sleep well here.', null],
  ['Does the Harbour server run on Ubuntu?', 'The Harbour server runs only on Linux.', null],
  ['Does Harbour ship to France?', 'Harbour ships only in Europe.', null],
  ['Are dogs allowed?', 'Dogs are allowed if they are on a leash.', null],
  ['Are dogs allowed in the restaurant and garden?', 'Dogs are not allowed in the garden.', null],
  ['Is the pool open on Sundays?', 'The pool is not open on Mondays.', null],
  ['Is smoking allowed?', 'Smoking areas are marked.', null],
  ['Is breakfast included?', 'Breakfast costs 12 euros.', null],
  ['Does it cost 12 euros?', 'It does not cost 14 euros.', null],
  ['Can I pay by card at the hotel bar?', 'You can pay by card at the hotel pool.', null],
  ['Are dogs not allowed?', 'Dogs are allowed.', null],
  ['What is not allowed?', 'Dogs are not allowed.', null],
  ['Is it open or closed?', 'It is not open.', null],
])('%s %s', (question, text, expected) => {
  expect(yesNoLead(question, { text, kind: 'sentence', topic: [] })).toBe(expected);
});
