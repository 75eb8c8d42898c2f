import { expect, test } from 'vitest';
import { closestQuestionWord, misspelledFunctionWord } from '../../src/text/question-words.ts';

test.each([
  ['teh', 'whats teh address of the hotel', 'the'],
  ['teh', 'where is teh key', 'the'],
  ['wich', 'wich rooms have a bath', 'which'],
  ['Wich', 'Wich rooms have a bath?', 'which'],
  ['hwo', 'hwo much is it', 'how'],
  ['thier', 'thier address', 'their'],
  ['tiem', 'breakfast tiem', 'time'],
  ['tiems', 'breakfast tiems', 'times'],
  ['wen', 'wen is breakfast', 'when'],
  ['shoud', 'shoud I bring a towel', 'should'],
])('%s in "%s" is a misspelling of %s', (word, query, correct) => {
  expect(misspelledFunctionWord(word, query)).toBe(correct);
});

test.each([
  ['wich', 'Wann wich der Regen?'],
  ['adn', 'test adn'],
  ['wen', 'an wen wende ich mich'],
  ['Teh', 'What is Teh tarik?'],
  ['form', 'where is the form'],
  ['time', 'at what time'],
  ['three', 'what are the three rules'],
  ['were', 'were are you'],
  ['cold', 'is the water cold'],
  ['the', 'what is the address'],
])('%s in "%s" is left as it is', (word, query) => {
  expect(misspelledFunctionWord(word, query)).toBeUndefined();
});

test.each([
  ['tme', 'what tme is it', 'time'],
  ['wher', 'wher is the key', 'where'],
  ['pric', 'what is the pric', 'price'],
  ['time', 'what time is it', undefined],
  ['mich', 'an wen wende ich mich', undefined],
])('the word of questions closest to %s in "%s" is %s', (word, query, closest) => {
  expect(closestQuestionWord(word, query)).toBe(closest);
});
