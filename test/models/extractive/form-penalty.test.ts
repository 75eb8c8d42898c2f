import { describe, expect, it } from 'vitest';
import { answerCandidates, formTerms } from '../../../src/models/extractive/answer-candidates.ts';
import { formPenalty, selectPairs } from '../../../src/models/extractive/form-penalty.ts';
import { contentTerms } from '../../../src/text/terms.ts';
import { askBuiltIn } from '../../support/evaluation/ask-built-in.ts';

const form = 'Place: Norwell; Boat: Seagull 4; Report number: 118; Captain: Ida Holm';

describe('the text of a form', () => {
  it.each([
    ['Why did the Seagull 4 sink at Norwell?', true],
    ['What is the report number of the Seagull 4?', false],
    ['Who was the captain of the Seagull 4?', false],
    ['Where did the Seagull 4 sink?', false],
    ['What did the Seagull 4 hit when it left Norwell?', true],
  ])('counts less for "%s": %s', (question, isLess) => {
    expect(formPenalty(question)(`${form}; Date: May 4`) > 0).toBe(isLess);
  });

  it.each([
    ['Who was the captain of the Seagull 4?', 'Boat: Seagull 4; Captain: Ida Holm'],
    ['Where did the Seagull 4 sink?', 'Place: Norwell; Boat: Seagull 4'],
    ['Why did the Seagull 4 sink?', form],
  ])('is quoted with the labels and names of the question: %s', (question, expected) => {
    expect(selectPairs(form, question)).toBe(expected);
  });

  it.each([
    'The crew (captain: Holm; cook: Berg; boy: Lund) left the boat at Norwell.',
    'Captain: Ida Holm; Boat: Seagull 4',
  ])('is not a text without three pairs: %s', (text) => {
    expect(selectPairs(text, 'Who was the captain of the boat?')).toBe(text);
  });

  it('is no text with fewer than three labels', () => {
    expect(formPenalty('Why did it sink?')('Place: Norwell; Captain: Ida Holm')).toBe(0);
  });

  it('is not quoted if the question only names its values', async () => {
    const report = `${form}\n\nThe harbour was closed. A loose plank let the water in during the storm.`;
    const answer = await askBuiltIn('What caused the loss of the Seagull 4 at Norwell?', report);
    expect(answer).toMatch(/^[^[]*plank/);
  });

  it('is no further sentence of an answer either', async () => {
    const report = `The Seagull 4 struck a rock when it left the harbour.\n\n${form}`;
    const answer = await askBuiltIn('What did the Seagull 4 of Ida Holm hit at Norwell?', report);
    expect(answer).toContain('rock');
    expect(answer).not.toContain('Report number');
  });

  it('is told from the rows of a table with values that contain commas', async () => {
    const offices = [
      'Office | Address | Phone | Manager',
      'Berlin | Quay 5, Berlin | 030 118 | Ida Holm',
      'Malmo | Dock 2, Malmo | 040 774 | Jon Berg',
    ].join('\n');
    const answer = await askBuiltIn(
      'Who works in Berlin?',
      `${offices}\n\nThe offices work a lot.`,
    );
    expect(answer).toMatch(/^Berlin — .*Ida Holm/);
    expect(answer).not.toContain('Jon Berg');
  });

  it.each([
    ['one chunk', '\n'],
    ['chunks of their own', '\f'],
  ])('is told from the records of a table in %s', (_, separator) => {
    const records = [
      'Name: Ida Holm; City: Berlin; Phone: 030 118; Address: Quay 5, Berlin',
      'Name: Jon Berg; City: Malmo; Phone: 040 774; Address: Dock 2, Malmo',
    ].join(separator);
    const sources = records
      .split('\f')
      .map((content) => ({ documentName: 'offices.csv', context: '', content }));
    expect(formTerms(sources)).toEqual(new Map());
    expect(answerCandidates(sources).map(({ topic }) => topic)).toEqual([
      contentTerms('offices.csv'),
      contentTerms('offices.csv'),
    ]);
  });

  it('is about its own document, not about another one of the same name', () => {
    const sources = ['1', '2'].map((documentId) => ({
      ...{ documentId, documentName: 'report.pdf', context: '' },
      content: documentId === '1' ? form : 'The boat struck a rock.',
    }));
    expect([...formTerms(sources).keys()]).toEqual(['1']);
    expect(answerCandidates(sources).at(-1)?.topic).toEqual(contentTerms('report.pdf'));
  });

  it('says what the other texts of its document are about', async () => {
    const answer = await askBuiltIn(
      'What did the boat strike at Norwell?',
      { documentName: '117.pdf', context: '', content: 'The boat struck a ferry in the fog.' },
      { documentName: '118.pdf', context: '', content: 'The boat struck a rock at low tide.' },
      { documentName: '118.pdf', context: '', content: form },
    );
    expect(answer).toMatch(/^The boat struck a rock/);
  });
});
