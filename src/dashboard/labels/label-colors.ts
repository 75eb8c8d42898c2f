import type { LabelColor } from './label-operations.ts';

/**
 * Mantine's color names. The color fills a dot next to the name of the label. So the name keeps the normal text color
 * and contrast.
 */
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

/** A shade that is visible on light and dark backgrounds. */
export const labelShade = 6;
