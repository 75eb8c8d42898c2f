import { expect, test } from 'vitest';
import { highlightSpans } from '../../../src/domain/knowledge/retrieval/highlight-spans.ts';

/** Returns the highlighted words, spelled as in the text. */
function marked(query: string, text: string): string[] {
  const letters = [...text];
  return highlightSpans(query, text).map(({ start, end }) => letters.slice(start, end).join(''));
}

test('highlights words in any case and form, but not other words with the same prefix', () => {
  expect(
    marked('Where can guests park?', 'Guest PARKING: the guests of our parks, not Parker.'),
  ).toEqual(['Guest', 'PARKING', 'guests', 'parks']);
  expect(marked('What are your international rates?', 'The rate on the internet')).toEqual([
    'rate',
  ]);
});

test('highlights no function words, not even in a query of function words only', () => {
  expect(marked('What is the price of it?', 'The price is the price of it.')).toEqual([
    'price',
    'price',
  ]);
  expect(marked('What is it?', 'It is what it is.')).toEqual([]);
});

test('highlights words of other languages by their prefix, with or without accents', () => {
  expect(marked('Kündigungsfrist', 'Die Kundigungen und das Café')).toEqual(['Kundigungen']);
});

test('highlights adjacent pairs of Chinese characters as one span, and counts supplementary characters once', () => {
  expect(marked('退款政策', '😀 我们的退款政策很好')).toEqual(['退款政策']);
});

test('highlights the parts of identifiers', () => {
  expect(marked('the XJ-9000 manual', 'XJ-9000 and XJ-8000')).toEqual(['XJ', '9000', 'XJ']);
});

test('treats markup and patterns as plain text', () => {
  expect(marked('<img src=x onerror=alert(1)> .* (', 'an img .* <img>')).toEqual(['img', 'img']);
});
