import { findDays, type NamedDay } from './days.ts';

/** Matches numbers that signs join into a key, such as `4-12`, `v2.1.10`, `2026/03/04`, `07:30` and `7.30 pm`. */
const keyPattern =
  /(?<![\p{L}\p{Nd}\-–./:])v?(\p{Nd}{1,4}(?:[-–./:]\p{Nd}{1,4}){1,5})(?:\s?([ap])\.?m\b\.?)?(?![\p{L}\p{Nd}%]|[-–./:]\p{Nd})/giu;

/**
 * Returns the keys in a text, in one form: without zeros in front, with `-` between the numbers, and times of day up to 24.
 * So `07.30` and `7:30 am` are one key, while `4-12` and `12-4` are two.
 */
export function keysOf(text: string): string[] {
  return [...text.matchAll(keyPattern)].map(([, written = '', half]) => {
    const [first = 0, ...others] = written.split(/[-–./:]/).map(Number);
    const hours = half?.toLowerCase() === 'p' && first < 12 ? first + 12 : first;
    return [hours, ...others].join('-');
  });
}

/** Returns the key of a text that contains nothing else. Returns null for any other text. */
export function wholeKey(text: string): string | null {
  const [key, ...others] = keysOf(text);
  const rest = text.replace(keyPattern, '').trim();
  return key !== undefined && others.length === 0 && rest === '' ? key : null;
}

/** Whether both texts name the same day. A day without a year is the same in each year. */
export function nameSameDay(left: string, right: string): boolean {
  const days = findDays(right);
  return findDays(left).some((one) => days.some((other) => isSameDay(one, other)));
}

function isSameDay(one: NamedDay, other: NamedDay): boolean {
  const isSameYear = one.year === null || other.year === null || one.year === other.year;
  return isSameYear && one.month === other.month && one.day === other.day;
}
