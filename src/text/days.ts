import { monthNumber, monthPattern, yearPattern } from './periods.ts';
import { fold } from './tokenize.ts';

/**
 * A day that a text names. Texts can write it in many forms: `2026-03-04`, `4.3.2026`, `March 4th`, `4 de marzo de
 * 2026`.
 */
export interface NamedDay {
  /** Null if the text names no year. */
  readonly year: number | null;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** `start` and `end`: UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
}

const month = '(?<month>0?[1-9]|1[0-2])';
const day = String.raw`(?<day>0?[1-9]|[12]\d|3[01])`;
const ordinal = '(?:st|nd|rd|th|er|\\.|º)?';
const of = String.raw`(?:\s(?:of|de|del))?`;

/** A part of a longer word, number or code is not a day. A time may follow the day, as in `2026-03-04T10:00`. */
const notAfter = String.raw`(?<![\p{L}\p{N}]|\p{N}[-/.])`;
const notBefore = String.raw`(?!(?!t\d)[\p{L}\p{N}]|[-/.]\p{N})`;

/** Before a year, two numbers that may both be a month are read as day and month, as in most countries. */
const dayPatterns = [
  String.raw`${yearPattern}(?<mark>[-/.])${month}\k<mark>${day}`,
  String.raw`${day}(?<mark>[-/.])${month}\k<mark>${yearPattern}`,
  String.raw`${month}/(?<day>1[3-9]|2\d|3[01])/${yearPattern}`,
  String.raw`${yearPattern}\s?年\s?${month}\s?月\s?${day}\s?日`,
  String.raw`${day}${ordinal}${of}\s${monthPattern}(?:,?${of}\s${yearPattern})?`,
  String.raw`${monthPattern}\s${day}${ordinal}(?:,?\s${yearPattern})?`,
].map((form) => new RegExp(`${notAfter}${form}${notBefore}`, 'gu'));

/** Returns the days in a text, in order. */
export function findDays(text: string): NamedDay[] {
  if (!/\d/.test(text)) return [];
  const { folded, offsets } = foldWithOffsets(text);
  let rest = folded;
  const days: NamedDay[] = [];
  for (const pattern of dayPatterns) {
    rest = rest.replace(pattern, (...match: unknown[]) => {
      const [found] = match;
      const groups = match.at(-1);
      const at = match.at(-3);
      if (typeof found !== 'string' || typeof at !== 'number') return '';
      const named = readGroups(groups);
      const end = offsets[at + found.length] ?? text.length;
      if (named !== null) days.push({ ...named, start: offsets[at] ?? 0, end });
      // Replaces the match with spaces, so that a less specific pattern does not find a part of it.
      return ' '.repeat(found.length);
    });
  }
  return days.sort((left, right) => left.start - right.start);
}

function readGroups(groups: unknown): Pick<NamedDay, 'year' | 'month' | 'day'> | null {
  if (typeof groups !== 'object' || groups === null) return null;
  const parts: Readonly<Record<string, string | undefined>> = { ...groups };
  const number = parts.month === undefined ? monthNumber(parts.name ?? '') : Number(parts.month);
  if (number === null) return null;
  return {
    year: parts.year === undefined ? null : Number(parts.year),
    month: number,
    day: Number(parts.day),
  };
}

/** Returns the text normalized with `fold`, and for each character of the result its offset in the original text. */
function foldWithOffsets(text: string): { folded: string; offsets: number[] } {
  let folded = '';
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    const letters = character <= '\x7f' ? character.toLowerCase() : fold(character);
    for (let index = 0; index < letters.length; index += 1) offsets.push(at);
    folded += letters;
    at += character.length;
  }
  return { folded, offsets };
}

/**
 * Returns the question with its days spelled as in the texts, so that words and numbers can be compared: "on 4 March
 * 2026" becomes "on 2026-03-04". A day without a year is matched with the texts if they name this day in only one year.
 */
export function withDaysOf(texts: readonly string[], question: string): string {
  const asked = findDays(question);
  if (asked.length === 0) return question;
  const named = texts.flatMap((text) =>
    findDays(text).map((found) => ({ ...found, text: text.slice(found.start, found.end) })),
  );
  let written = '';
  let end = 0;
  for (const one of asked) {
    const same = named.filter((other) => isSameDay(one, other));
    const years = new Set(same.map((other) => other.year));
    const [first] = same;
    written += question.slice(end, one.start);
    written +=
      first === undefined || years.size > 1 ? question.slice(one.start, one.end) : first.text;
    end = one.end;
  }
  return written + question.slice(end);
}

function isSameDay(asked: NamedDay, named: NamedDay): boolean {
  const isSameYear = asked.year === null || asked.year === named.year;
  return isSameYear && asked.month === named.month && asked.day === named.day;
}

/**
 * Returns terms for the days in a text, in the form of the index (`tokenize`). Each day has a term for each order in
 * which documents write it.
 */
export function dayTerms(text: string): string[] {
  return findDays(text).flatMap(({ year, month, day }) => {
    if (year === null) return [];
    const two = (value: number) => String(value).padStart(2, '0');
    const orders = [
      [year, month, day],
      [day, month, year],
      // If the day is 12 or less, month first would be read as a different day in most countries.
      ...(day > 12 ? [[month, day, year]] : []),
    ];
    return orders.flatMap((numbers) => [numbers.map(two).join('.'), numbers.join('.')]);
  });
}
