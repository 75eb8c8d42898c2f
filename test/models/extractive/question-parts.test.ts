import { describe, expect, it } from 'vitest';
import { questionParts } from '../../../src/models/extractive/question-parts.ts';
import { askBuiltIn } from '../../support/evaluation/ask-built-in.ts';

describe('the parts of a question', () => {
  it.each([
    ['What is a ticket and where is the pool?', ['What is a ticket', 'where is the pool?']],
    ["how long is it, and what's the address?", ['how long is it', "what's the address?"]],
    ['When do you open? And where are you?', ['When do you open', 'where are you?']],
    ['Is it free? Where is the pool?', ['Is it free', 'Where is the pool?']],
    [
      'Which costs more, the sauna or a bicycle?',
      ['Which costs more the sauna', 'Which costs more a bicycle'],
    ],
    ['Is the mill walk cheaper than the ghost lane?', ['the mill walk', 'the ghost lane']],
    ['Was kostet es und wo ist der Bahnhof?', ['Was kostet es', 'wo ist der Bahnhof?']],
  ])('are questions of their own: %s', (question, parts) => {
    expect(questionParts(question)).toEqual(parts);
  });

  it.each([
    'What are the requirements and limitations for coverage?',
    'How do I log in and out?',
    'Do you sell bread and what?',
    'Do you have a pool, a sauna or a gym?',
    '',
  ])('are one for: %s', (question) => {
    expect(questionParts(question)).toEqual([question]);
  });

  const text = `The ferry to Elba leaves at nine and takes one hour. A ticket for the ferry costs 12 euros for
adults. The ferry to Elba was built in Genoa. Dogs travel on the lower deck of the ferry, for which they wear a muzzle.`;

  it('are answered in their order, with one text each', async () => {
    const answer = await askBuiltIn(
      'Where do dogs travel on the ferry and how much is a ticket for adults?',
      text,
    );
    expect(answer).toBe(
      'Dogs travel on the lower deck of the ferry, for which they wear a muzzle. [1] A ticket for the ferry costs 12 euros for adults. [1]',
    );
  });

  it('are answered apart if the best text has no word of one of them', async () => {
    const hotel =
      'Check-out is until 11 a.m. and check-in from 3 p.m. Late check-out costs 20 euros. Dogs are welcome for 12 euros per night.';
    const answer = await askBuiltIn('What time is check-out and can I bring my dog?', hotel);
    expect(answer).toMatch(/^Check-out is until 11 a\.m\. .* Dogs are welcome for 12 euros/);
  });

  it('are answered once if the documents answer only one of them', async () => {
    const sauna = 'The sauna costs 14 euros per person. It opens at 17:00 every day.';
    const answer = await askBuiltIn('What does the sauna cost, and is there a pool?', sauna);
    expect(answer.match(/14 euros/g)).toHaveLength(1);
  });

  it('are answered with one text if it has both', async () => {
    const answer = await askBuiltIn('When does the ferry leave and how long does it take?', text);
    expect(answer).toMatch(/^The ferry to Elba leaves at nine and takes one hour\. \[1\]/);
  });
});
