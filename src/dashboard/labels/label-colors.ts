import type { LabelColor } from './label-operations.ts';

/** Mantine's names of the colors. They fill a dot next to the name, which keeps the color and contrast of text. */
export const labelColors: Record<LabelColor, string> = {
  GRAY: 'gray',
  RED: 'red',
  ORANGE: 'orange',
  YELLOW: 'yellow',
  GREEN: 'green',
  TEAL: 'teal',
  BLUE: 'blue',
  VIOLET: 'violet',
  PINK: 'pink',
};

/** Shade that is visible on light and on dark backgrounds. */
export const labelShade = 6;
