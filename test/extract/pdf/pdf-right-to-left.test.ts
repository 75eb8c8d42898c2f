import { expect, test } from 'vitest';
import { cellText } from '../../../src/extract/pdf/pdf-cell-text.ts';

/** Runs as Chromium draws them, from left to right, 6 points for each character. `_` is a space. */
function read(...texts: readonly string[]): string {
  let x = 0;
  const runs = texts.flatMap((text) => {
    const x0 = x;
    x += text.length * 6;
    if (text === '_') return [];
    const isRightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text);
    return [{ text, x0, x1: x, y: 0, size: 12, font: 'F', isRightToLeft }];
  });
  return cellText(runs, true);
}

test.each([
  [['.17', 'ל-', '_', '9', '_', 'בין השעות'], 'בין השעות 9 ל-17.'],
  [
    ['.2026', '_', 'עד', '_', '(', 'כולל', ')', '_', '50%', '_', 'המחיר הוא'],
    'המחיר הוא 50% (כולל) עד 2026.',
  ],
  [[', סגור.', '(', '9-17', ')', '_', 'פתוח'], 'פתוח (9-17), סגור.'],
  [['.Word 2019 (beta)', '_', 'הגרסה היא'], 'הגרסה היא Word 2019 (beta).'],
  [
    ['.21', 'ו-', '_', '17', '_', ',', '9', '_', ',₪', '_', '12.50', '_', 'החזר:'],
    'החזר: 12.50 ₪, 9, 17 ו-21.',
  ],
  [['!03-555-0142', '_', 'טלפון:'], 'טלפון: 03-555-0142!'],
  [
    ['.', '3', '.', '2', '_', 'וסעיף', '_', '[', '3', '_', 'נספח', ']', '_', 'ראו'],
    'ראו [נספח 3] וסעיף 3.2.',
  ],
  [['.', '2019', '_', 'Word', '_', 'הגרסה'], 'הגרסה 2019 Word.'],
])('a Hebrew line with numbers has its marks in reading order: %s', (drawn, expected) => {
  expect(read(...drawn)).toBe(expected);
});

test.each([
  [
    ['.2026', '_', 'حتى', '_', '(', 'للأعضاء', ')', '_', '%', '50', '_', 'الخصم'],
    'الخصم 50% (للأعضاء) حتى 2026.',
  ],
  [['.', 'يوميا', '_', '(', '17-9', ')', '_', 'مفتوح'], 'مفتوح (9-17) يوميا.'],
  [['.17', '_', '،', '9', '_', 'ثم', '_', '،$', '12.50', '_', 'السعر'], 'السعر 12.50$، ثم 9، 17.'],
  [['.', '[', '3', '_', 'الملحق', ']', '_', 'راجع'], 'راجع [الملحق 3].'],
])('an Arabic line with numbers has its marks in reading order: %s', (drawn, expected) => {
  expect(read(...drawn)).toBe(expected);
});
