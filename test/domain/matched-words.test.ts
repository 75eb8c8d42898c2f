import { expect, test } from 'vitest';
import { matchedWords } from '../../src/domain/knowledge/matched-words.ts';

/** The words that are marked, as they stand in the text. */
function marked(query: string, text: string): string[] {
  const letters = [...text];
  return matchedWords(query, text).map(({ start, end }) => letters.slice(start, end).join(''));
}

test('marks words in any case and form, and no others that begin alike', () => {
  expect(
    marked('Where can guests park?', 'Guest PARKING: the guests of our parks, not Parker.'),
  ).toEqual(['Guest', 'PARKING', 'guests', 'parks']);
  expect(marked('What are your international rates?', 'The rate on the internet')).toEqual([
    'rate',
  ]);
});

test('marks no function words, not even alone', () => {
  expect(marked('What is the price of it?', 'The price is the price of it.')).toEqual([
    'price',
    'price',
  ]);
  expect(marked('What is it?', 'It is what it is.')).toEqual([]);
});

test('marks words of other languages by their beginning, with accents or without', () => {
  expect(marked('Kündigungsfrist', 'Die Kundigungen und das Café')).toEqual(['Kundigungen']);
});

test('marks pairs of Chinese characters as one, and counts what lies outside of the basic plane once', () => {
  expect(marked('退款政策', '😀 我们的退款政策很好')).toEqual(['退款政策']);
});

test('marks the parts of identifiers', () => {
  expect(marked('the XJ-9000 manual', 'XJ-9000 and XJ-8000')).toEqual(['XJ', '9000', 'XJ']);
});

test('takes markup and patterns for the text they are', () => {
  expect(marked('<img src=x onerror=alert(1)> .* (', 'an img .* <img>')).toEqual(['img', 'img']);
});
