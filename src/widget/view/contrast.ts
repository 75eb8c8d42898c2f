type Color = readonly number[];

/** Returns black or white, whichever has the higher contrast with the color, such as `#1d4ed8`. */
export function contrastingTextColor(color: string): string {
  return luminanceOf(parse(color)) > 0.179 ? '#000' : '#fff';
}

/** Contrast of texts with their background (WCAG 2.2, 1.4.3). It is enough for focus rings, too, which need 3. */
const minContrast = 4.5;

/**
 * Returns the color, made darker on a light background and lighter on a dark one until texts in it are readable.
 * @param color and `background` are of the form `#1d4ed8`.
 */
export function readableColor(color: string, background: string): string {
  const end = contrastingTextColor(background) === '#000' ? 0 : 255;
  const behind = luminanceOf(parse(background));
  let shown = parse(color);
  for (let percent = 5; contrastOf(luminanceOf(shown), behind) < minContrast; percent += 5) {
    shown = parse(color).map((part) => Math.round(part + ((end - part) * percent) / 100));
  }
  return `#${shown.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function parse(color: string): Color {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Returns the relative luminance of WCAG. */
function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
