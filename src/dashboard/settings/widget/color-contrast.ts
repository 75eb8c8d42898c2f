/**
 * Returns the color of the text that the widget writes on a color, black or white, and its contrast by WCAG 2.2, from 1
 * to 21. Returns null if the color does not have the form `#rrggbb`.
 */
export function textOnColor(
  color: string,
): { readonly text: 'Black' | 'White'; readonly contrast: number } | null {
  if (!isColor(color)) return null;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const black = (luminance + 0.05) / 0.05;
  const white = 1.05 / (luminance + 0.05);
  return black > white ? { text: 'Black', contrast: black } : { text: 'White', contrast: white };
}

export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text);
}
