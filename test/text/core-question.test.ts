import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coreQuestion } from '../../src/text/core-question.ts';

test.each([
  [
    'Hello there, I hope you are well. Could you please tell me how long I can return it? Many thanks!',
    'how long I can return it?',
  ],
  ['Hi! I have a quick question: What is balance billing? Thank you.', 'What is balance billing?'],
  ['Sorry to bother you, but I was wondering whether you ship to Norway?', 'you ship to Norway?'],
  ['I hope you are well, could you tell me the price of a tent?', 'the price of a tent?'],
  ['May I ask where accident X happened. Kind regards,\nAnna Smith', 'where accident X happened.'],
  ['what is the price please', 'what is the price'],
  ['Does Node.js 22.1 run on 04.03.2026? Thanks.', 'Does Node.js 22.1 run on 04.03.2026?'],
  ['So, what is the price then, actually?', 'what is the price?'],
  ['Thanks for the info, and what about dogs?', 'and what about dogs?'],
  [
    'Guten Tag, könnten Sie mir bitte sagen, ob Hunde erlaubt sind? Vielen Dank im Voraus!',
    'Hunde erlaubt sind?',
  ],
  ["Bonjour, pourriez-vous me dire combien ça coûte, s'il vous plaît ?", 'combien ça coûte'],
  ['Hola, ¿me podría decir cuánto cuesta? Muchas gracias', 'cuánto cuesta?'],
  ['Buongiorno, potreste dirmi se il pranzo è incluso? Grazie mille!', 'il pranzo è incluso?'],
  ['Beste team, kunt u mij vertellen hoeveel uur het is? Alvast bedankt', 'hoeveel uur het is?'],
  ['Olá, bom dia! Poderia me dizer se é aceite? Obrigado', 'é aceite?'],
])('only the question remains of "%s"', (message, question) => {
  expect(coreQuestion(message)).toBe(question);
});

test.each([
  'Hello',
  'Thank you very much!',
  'Can you help me?',
  'Can you ship to Norway?',
  'How are you calculating fees?',
  'Hello Kitty backpack',
  'I bought a tent last week. Can I return it?',
  'I bought a tent. I hope you can help me with the return.',
  'My name is Tom and my order 1234 has not arrived',
  'explain the second one',
  'why?',
  '',
])('"%s" is not changed', (message) => {
  expect(coreQuestion(message)).toBe(message);
});

test('it changes no question of the small sets but for words that lead to the question', () => {
  const lines = readFileSync('test/eval/small/qa/harbour.jsonl', 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  for (const line of lines) {
    const { question } = JSON.parse(line);
    expect(question.endsWith(coreQuestion(question))).toBe(true);
  }
});

test('it is idempotent, and linear on hostile text', () => {
  const message =
    'Hello, could you please tell me, please, whether I can, please, return it? Thanks';
  expect(coreQuestion(coreQuestion(message))).toBe(coreQuestion(message));
  // If the time grew quadratically, this would exceed the time limit of the test.
  for (const part of ['thanks i hope ', 'please ', 'could you please ', 'hi, ', '? ', 'so, '])
    coreQuestion(part.repeat(200_000 / part.length));
});
