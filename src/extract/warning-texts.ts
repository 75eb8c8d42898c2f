import { counted, countedWas } from '../text/counted.ts';
import { cleanLine } from './clean-text.ts';

const maxNames = 5;
const maxNameLength = 80;
const maxRanges = 10;

/** Returns the first names in shortened form: `a.pdf, b.pdf and 3 more`. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => shorten(cleanLine(name)));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns numbers as ranges, such as `1 to 3, 7`. The numbers must be in ascending order. */
export function listNumbers(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.slice(0, maxRanges).map(([from, to]) => {
    if (from === to) return String(from);
    return to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`;
  });
  return shown.join(', ') + (ranges.length > maxRanges ? ', …' : '');
}

/** Returns a warning about attached files, or null if there are none. */
export function filesLeftOut(noun: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const advice =
    names.length === 1
      ? 'Upload it as a document of its own.'
      : 'Upload them as documents of their own.';
  return `${countedWas(names.length, noun)} left out: ${listNames(names)}. ${advice}`;
}

/** Returns a warning about comments, or null if there are none. */
export function commentsLeftOut(count: number): string | null {
  return count === 0 ? null : `${countedWas(count, 'comment')} left out.`;
}

/** Returns a warning about files that are embedded in a document, or null if there are none. */
export function embeddedLeftOut(count: number): string | null {
  if (count === 0) return null;
  return `${countedWas(count, 'embedded object')} left out, such as a table, a formula or a file of another program. Add its content as text, or upload it as a document of its own.`;
}

/**
 * Returns a warning about parts to which a file refers but that it does not contain. Returns null if there are none.
 */
export function partsMissing(noun: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return `The file lacks ${counted(names.length, noun)} that it names: ${listNames(names)}. Save it again in the program that wrote it.`;
}

/** Returns the start of a long name or text. */
export function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}
