import { expect, it } from 'vitest';
import { missingNames } from '../../../src/domain/chat/evidence/missing-names.ts';

const texts = ['Norwell_tariffs.pdf The ferry of Gull Lines leaves Norwell twice a day.'];

it.each([
  ['What does a ticket of Gull Lines to Norwell cost?', 0],
  ["What is Kestrel's fare to Norwell?", 1 / 2],
  ['How much is a ticket of Kestrel?', 1],
  ['Why did the fare rise in June?', 0],
  ['May I bring a dog if I travel alone?', 0],
])('counts the names that no text contains: %s', (question, share) => {
  const missing = missingNames(question, texts) ?? Number.NaN;
  expect(missing).toBeCloseTo(share);
});

it.each(['what is the fare of kestrel', 'WHAT IS THE FARE OF KESTREL', 'Kestrel Fare To Norwell'])(
  'knows no names without the usual capitals: %s',
  (question) => {
    expect(missingNames(question, texts)).toBeNull();
  },
);
