import { expect, test } from 'vitest';
import { readableColor } from '../../src/widget/view/contrast.ts';

test('keeps a color that is readable', () => {
  expect(readableColor('#1d4ed8', '#f2f4f7')).toBe('#1d4ed8');
  expect(readableColor('#8ab4f8', '#282b32')).toBe('#8ab4f8');
});

test.each([
  ['a bright color darker on a light background', '#ffd400', '#f2f4f7'],
  ['white black enough on a light background', '#ffffff', '#f2f4f7'],
  ['a dark color lighter on a dark background', '#1d4ed8', '#282b32'],
  ['black white enough on a dark background', '#000000', '#282b32'],
])('makes %s', (_, color, background) => {
  const shown = readableColor(color, background);
  const [one = 0, other = 0] = [shown, background].map(luminanceOf).sort((a, b) => b - a);
  expect((one + 0.05) / (other + 0.05)).toBeGreaterThanOrEqual(4.5);
});

/** Relative luminance of WCAG. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
