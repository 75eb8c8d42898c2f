import { describe, expect, test } from 'vitest';
import { joinLines } from '../../../src/extract/pdf/join-lines.ts';

const join = (text: string, words: readonly string[] = []) =>
  joinLines(text.split('\n'), new Set(words));

describe('a hyphen at the end of a line', () => {
  test.each([
    ['pays a compen-\nsation of 30', 'pays a compensation of 30'],
    ['a storm warn-\ning for', 'a storm warning for'],
    ['to be ana-\nlysed by', 'to be analysed by'],
    ['a manage-\nable number', 'a manageable number'],
    ['to dis-\nembark there', 'to disembark there'],
    ['den Versicherungs-\nbedingungen nach', 'den Versicherungsbedingungen nach'],
    ['les assu-\nrances de', 'les assurances de'],
    ['for lug\u00ad\ngage of', 'for luggage of'],
    ['with two\u00ad\nhour trips', 'with twohour trips'],
  ])('is removed from a broken word: %j', (lines, text) => {
    expect(join(lines)).toBe(text);
  });

  test.each([
    ['A well-\nknown example', 'A well-known example'],
    ['the two-\nhour trip', 'the two-hour trip'],
    ['price-\ndetermining factors', 'price-determining factors'],
    ['a state-of-the-\nart engine', 'a state-of-the-art engine'],
    ['the form RX-\n4410 at', 'the form RX-4410 at'],
    ['call 555-\n1234 now', 'call 555-1234 now'],
    ['a 30-\nday notice', 'a 30-day notice'],
    ['by e-\nmail or', 'by e-mail or'],
    ['die EU-\nRichtlinie gilt', 'die EU-Richtlinie gilt'],
    ['eine PDF-\ndatei', 'eine PDF-datei'],
  ])('stays if it belongs to the word: %j', (lines, text) => {
    expect(join(lines)).toBe(text);
  });

  test('follows the spelling of the document', () => {
    expect(join('the well-\nknown', ['wellknown'])).toBe('the wellknown');
    expect(join('the co-\nordinator', ['co-ordinator'])).toBe('the co-ordinator');
  });

  test.each([
    ['pre-\nand post-war', 'pre- and post-war'],
    ['Ein-\nund Ausgang', 'Ein- und Ausgang'],
    ['open -\nor closed', 'open - or closed'],
  ])('keeps its space if a word of its own follows: %j', (lines, text) => {
    expect(join(lines)).toBe(text);
  });
});
