import { describe, expect, it } from 'vitest';
import { isFollowUp, referencedItem } from '../../../src/models/follow-up/follow-up.ts';
import { standaloneQuestion } from '../../../src/models/follow-up/standalone-question.ts';
import type { HistoryMessage } from '../../../src/models/models.ts';

const list =
  'We offer: Standard delivery takes 5 days; Express delivery takes 1 day; Pickup is free. [1] Orders are tracked. [2]';

function history(question: string, answer: string, citedHeading?: string): HistoryMessage[] {
  const reply = { role: 'ASSISTANT', content: answer } as const;
  return [
    { role: 'USER', content: question },
    citedHeading === undefined ? reply : { ...reply, citedHeading },
  ];
}

describe('a follow-up', () => {
  it.each([
    'why?',
    'and Mac?',
    'and for part-timers?',
    'and for senior managers of product management?',
    'Und für leitende Angestellte der Entwicklung?',
    'What about backpacks?',
    'How much does it cost?',
    'Und was kostet das?',
    'Et pour les enfants ?',
    'And if I only work 20 hours?',
    'und wenn ich nur 20 Stunden arbeite?',
    'Et si je pars plus tôt le vendredi ?',
    'And the fee?',
    "What's the most I would have to pay?",
    'How much per month?',
    'Wie hoch ist die Kaution?',
    'Et la caution ?',
  ])('is a question that depends on the conversation: %s', (question) => {
    expect(isFollowUp(question)).toBe(true);
  });

  it.each([
    'And what is the weather like in Ghent today?',
    'If I cancel the tent a week before, what do I get back?',
    'And for a large tent, what is the price?',
    'Does the warranty cover a tent if it is damaged by fire?',
    'Which documents are needed for a parking permit?',
    'Was kostet das große Zelt im Sommer?',
    'What is the fee for late books?',
    'How much is a day ticket?',
  ])('is not a question that is understood alone: %s', (question) => {
    expect(isFollowUp(question)).toBe(false);
  });

  it('receives the last answered question and the cited heading as its topic', () => {
    const messages = [
      ...history('What are the opening hours?', 'From 10 [1].', 'Museum of the sea'),
      ...history('And in winter?', 'From 12 [1].', 'Winter season'),
    ];
    const query = standaloneQuestion({ history: messages, question: 'And for children?' });
    expect(query).toBe('And for children? opening hours Winter season');
  });

  it('does not take its topic from a question that was not answered', () => {
    const messages = [
      ...history('How long is the warranty of a tent?', 'Five years [1].', 'Warranty'),
      ...history('Do you sell yellow kayaks?', "I don't know."),
    ];
    const query = standaloneQuestion({ history: messages, question: 'And of backpacks?' });
    expect(query).toContain('tent');
    expect(query).not.toContain('kayaks');
  });

  it('is not changed by an earlier topic if it is understood alone', () => {
    const question = 'How large is the storage of the free plan?';
    const messages = history('How do I reset my password?', 'By link [1].', 'Reset the password');
    expect(standaloneQuestion({ history: messages, question })).toBe(question);
  });
});

describe('an item of the previous list', () => {
  const messages = history('Which delivery options do you offer?', list, 'Delivery options');

  it.each([
    ['explain the second one', 'Express delivery takes 1 day'],
    ['the third option', 'Pickup is free'],
    ['What does the last one mean?', 'Pickup is free'],
    ['tell me about option 1', 'Standard delivery takes 5 days'],
    ['Was bedeutet die zweite?', 'Express delivery takes 1 day'],
    ['la troisième', 'Pickup is free'],
    ['y la segunda?', 'Express delivery takes 1 day'],
  ])('is found by its number: %s', (question, item) => {
    expect(referencedItem({ history: messages, question })).toBe(item);
    expect(standaloneQuestion({ history: messages, question })).toContain(item);
  });

  it('is read from numbered lines', () => {
    const answer =
      'Do this:\n1. Open the trash [1].\n2. Select the file [1].\n3. Choose Restore [1].';
    const request = { history: history('How?', answer), question: 'explain the second step' };
    expect(referencedItem(request)).toBe('Select the file');
  });

  it.each([
    ['the fifth one', messages],
    ['When does the second course of the summer school start?', messages],
    [
      'explain the second one',
      history('How heavy is it?', 'Item: tent; Weight: 2900; Colour: red. [1]'),
    ],
    ['explain the second one', history('How long?', 'Five years [1].')],
    ['explain the second one', []],
  ])('is not guessed: %s', (question, given) => {
    expect(referencedItem({ history: given, question })).toBeNull();
  });
});
