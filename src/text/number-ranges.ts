/** A range of numbers. Both ends belong to it. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

const number = String.raw`(\d{1,3}(?:[,.'\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?)`;
const unit = String.raw`(?:\s?(?:[\p{L}%€$£°]{1,12}\.?)){0,2}`;
const currency = String.raw`[€$£]?\s?`;
const one = `${currency}${number}${unit}`;

/** Words before a number that a value exceeds. */
export const greater =
  '(?:over|above|(?:more|longer|larger|bigger|heavier|higher|taller|older|greater|wider|deeper) than|über|(?:mehr|länger|größer|schwerer|höher|älter|breiter|tiefer) als|plus (?:long |lourd |grand )?de)';
/** Words before a number that a value stays below. */
export const smaller =
  '(?:below|under|(?:less|fewer|shorter|smaller|lighter|lower|younger) than|unter|(?:weniger|kürzer|kleiner|leichter|niedriger|jünger) als|moins de)';

const between = new RegExp(
  `^(?:from |between |von |de )?${one}\\s?(?:-|–|—|to|and|bis|und|à|a)\\s?${one}$`,
  'iu',
);
const atMost = new RegExp(
  `^(?:up to|at most|max\\.?|maximum|to|bis(?: zu)?|höchstens|jusqu['’]à|≤|<=) ?${one}$|^${one}\\s?(?:(?:and|or) (?:less|below|under|fewer)|(?:und|oder) weniger)$`,
  'iu',
);
const below = new RegExp(`^(?:${smaller}|<) ?${one}$`, 'iu');
const atLeast = new RegExp(
  `^(?:from|at least|min\\.?|minimum|ab|mindestens|à partir de|≥|>=) ?${one}$|^${one}\\s?(?:\\+|(?:and|or) (?:more|above|over|up|older)|(?:und|oder) (?:mehr|älter))$`,
  'iu',
);
const above = new RegExp(`^(?:${greater}|>) ?${one}$`, 'iu');

/** Numbers with a smaller difference count as equal. */
const step = 1e-9;

/** Reads a text that is a range of numbers as a whole, such as "700–749", "2 to 10 kg", "below 650" or "65+". */
export function parseRange(text: string): NumberRange | null {
  const range = text.trim();
  if (range.length > maxLength || !/\d/.test(range)) return null;
  const numbersOf = (pattern: RegExp) =>
    pattern
      .exec(range)
      ?.slice(1)
      .filter((found) => found !== undefined)
      .map(toNumber);
  const [from, to] = numbersOf(between) ?? [];
  if (from !== undefined && to !== undefined) return from < to ? { from, to } : null;
  const [most] = numbersOf(atMost) ?? [];
  if (most !== undefined) return { from: Number.NEGATIVE_INFINITY, to: most };
  const [under] = numbersOf(below) ?? [];
  if (under !== undefined) return { from: Number.NEGATIVE_INFINITY, to: under - step };
  const [least] = numbersOf(atLeast) ?? [];
  if (least !== undefined) return { from: least, to: Number.POSITIVE_INFINITY };
  const [over] = numbersOf(above) ?? [];
  return over === undefined ? null : { from: over + step, to: Number.POSITIVE_INFINITY };
}

const maxLength = 60;

const mostTitle =
  /(?<!\p{L})(?:max(?:\.|imum)?|up to|bis(?: zu)?|höchst\p{L}*|jusqu['’]à|maximal\p{L}*)(?!\p{L})/iu;
const leastTitle =
  /(?<![\p{L}(])(?:min(?:\.|imum)|min(?= \p{L})|from|at least|ab|mindest\p{L}*|à partir de|minimal\p{L}*)(?!\p{L})/iu;
const plainNumber = new RegExp(`^${one}$`, 'iu');
const boundInside = new RegExp(`(?:up to|bis zu|jusqu['’]à) ${one}`, 'iu');

/**
 * Reads a cell as a range of numbers: the whole cell ("2 to 10 kg"), a number below a title such as "Max. weight", or a
 * part of a text, as in "van up to 8 m, with driver".
 */
export function rangeOfCell(title: string, value: string): NumberRange | null {
  const range = parseRange(value);
  if (range !== null) return range;
  const bound = value.length > maxLength ? null : plainNumber.exec(value.trim())?.[1];
  if (bound != null && mostTitle.test(title)) {
    return { from: Number.NEGATIVE_INFINITY, to: toNumber(bound) };
  }
  if (bound != null && leastTitle.test(title)) {
    return { from: toNumber(bound), to: Number.POSITIVE_INFINITY };
  }
  const most = value.length > maxLength ? null : boundInside.exec(value)?.[1];
  return most == null ? null : { from: Number.NEGATIVE_INFINITY, to: toNumber(most) };
}

const freeNumber = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/:-])${number}(?![\p{N}/:-]|[.,]\d)`,
  'gu',
);

/** Returns the numbers of a text that are not part of a date, a time or a code. */
export function numbersIn(text: string): number[] {
  return [...text.matchAll(freeNumber)].map(([, found = '']) => toNumber(found));
}

/** Reads a text with one number and its unit, such as "10 euros". Returns null if it has no number, or several. */
export function readAmount(
  text: string,
): { readonly amount: number; readonly unit: string } | null {
  const [amount, ...others] = numbersIn(text);
  if (amount === undefined || others.length > 0) return null;
  return { amount, unit: text.replace(/[\d.,'\s]/gu, '').toLowerCase() };
}

const afterGreater = new RegExp(`${greater} ?${currency}$`, 'iu');
const afterSmaller = new RegExp(`${smaller} ?${currency}$`, 'iu');

/** Returns the numbers of a question. A number after "longer than" is a little greater, one after "below" smaller. */
export function askedNumbers(question: string): number[] {
  return [...question.matchAll(freeNumber)].map(({ 1: found = '', index }) => {
    const before = question.slice(Math.max(0, index - maxLength), index);
    const sign = Number(afterGreater.test(before)) - Number(afterSmaller.test(before));
    return toNumber(found) + 2 * step * sign;
  });
}

const units: readonly (readonly [string, RegExp])[] = [
  ['kg', /^(?:kg|kilos?|kilogram\p{L}*|kilogramm)$/iu],
  ['g', /^(?:g|gram\p{L}*|grammes?)$/iu],
  ['m', /^(?:m|met(?:er|re)s?n?|mètres?)$/iu],
  ['cm', /^(?:cm|cent(?:imeter|imetre|imètre)s?n?)$/iu],
  ['km', /^(?:km|kilomet(?:er|re)s?n?|kilomètres?)$/iu],
  ['l', /^(?:l|lit(?:er|re)s?n?)$/iu],
];
const unitAfterNumber = /\p{Nd}[\s\u00a0-]?(\p{L}{1,12})(?!\p{L})/gu;

/** Returns the units of length, weight and volume after the numbers of a text, in one spelling. */
export function measuresIn(text: string): string[] {
  return [...text.matchAll(unitAfterNumber)].flatMap(
    ([, word = '']) => units.find(([, names]) => names.test(word))?.[0] ?? [],
  );
}

/** Reads a number with a decimal point or comma, and with marks between thousands. */
function toNumber(text: string): number {
  const fraction = /[.,](\d{1,2}|\d{4,})$/.exec(text);
  const whole = text.slice(0, fraction?.index).replace(/\D/g, '');
  return Number(`${whole}.${fraction?.[1] ?? 0}`);
}
