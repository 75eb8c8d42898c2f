import { describe, expect, it } from 'vitest';
import { formPenalty } from '../../src/models/form-penalty.ts';
import { askBuiltIn } from '../support/ask-built-in.ts';

const form = 'Place: Norwell; Boat: Seagull 4; Report number: 118; Captain: Ida Holm';

describe('the text of a form', () => {
  it.each([
    ['Why did the Seagull 4 sink at Norwell?', true],
    ['What is the report number of the Seagull 4?', false],
    ['Who was the captain of the Seagull 4?', false],
    ['Where did the Seagull 4 sink?', false],
  ])('counts less for "%s": %s', (question, isLess) => {
    expect(formPenalty(question)(form) > 0).toBe(isLess);
  });

  it('is no text with fewer than three labels', () => {
    expect(formPenalty('Why did it sink?')('Place: Norwell; Captain: Ida Holm')).toBe(0);
  });

  it('is not quoted if the question only names its values', async () => {
    const report = `${form}\n\nThe harbour was closed. A loose plank let the water in during the storm.`;
    const answer = await askBuiltIn('What caused the loss of the Seagull 4 at Norwell?', report);
    expect(answer).toMatch(/^[^[]*plank/);
  });
});
