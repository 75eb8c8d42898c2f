import { describe, expect, it } from 'vitest';
import { joinItems, readList } from '../../src/text/list-items.ts';
import { wordCount } from '../../src/text/readable-text.ts';

describe('a list', () => {
  it('keeps its introduction and all items', () => {
    const list = readList(['Bring to the exam:', '- a passport', '- two pencils;', '• water.']);
    expect(list).toMatchObject({
      lead: 'Bring to the exam:',
      items: ['a passport', 'two pencils;', 'water.'],
      isOrdered: false,
      whole: 'Bring to the exam: a passport; two pencils; water.',
    });
  });

  it('keeps the numbers of steps', () => {
    const list = readList([
      'To reset the router:',
      '1. Unplug it',
      '2. Wait a minute',
      '3. Plug it in',
    ]);
    expect(list.isOrdered).toBe(true);
    expect(list.whole).toBe('To reset the router: 1. Unplug it; 2. Wait a minute; 3. Plug it in');
  });

  it('adds nested bullets to their step, and leaves out a step that was cut off', () => {
    const lines = [
      '1. Open the settings:',
      '• Tap the gear.',
      '• Choose “Network”.',
      '2. Restart',
      '• Hold the button.',
      '3. Confirm:',
    ];
    expect(readList(lines).whole).toBe(
      '1. Open the settings: Tap the gear. Choose “Network”. 2. Restart, Hold the button.',
    );
  });

  it('adds a line without a bullet to the item before it', () => {
    expect(readList(['- Keep dry.', 'Store below 30 degrees.', '- Do not freeze.']).items).toEqual([
      'Keep dry. Store below 30 degrees.',
      'Do not freeze.',
    ]);
  });

  it('has at most 12 items and 120 words, and shows that items are left out', () => {
    const many = Array.from({ length: 30 }, (_, index) => `- item number ${index}`);
    const { whole } = readList(['Parts:', ...many]);
    expect(whole).toMatch(/^Parts: item number 0; .*; item number 11 …$/);
    const long = Array.from({ length: 6 }, () => `- ${'word '.repeat(25)}`);
    const shortened = readList(long).whole ?? '';
    expect(wordCount(shortened)).toBeLessThanOrEqual(122);
    expect(shortened).toMatch(/…$/);
  });

  it('is not shown as a whole if only a few long items fit', () => {
    expect(readList(Array.from({ length: 6 }, () => `1. ${'word '.repeat(60)}`)).whole).toBeNull();
  });
});

it('separates items that are sentences with full stops', () => {
  expect(joinItems('', ['Press start. Then wait', 'Remove the lid'])).toBe(
    'Press start. Then wait. Remove the lid.',
  );
});
