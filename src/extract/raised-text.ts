/**
 * Unicode noncharacters, which no text contains. The readers of file formats put them around superscripts.
 * `writeRaised` replaces them when the text before and after the superscript is known.
 */
export const raisedStart = '\ufdd0';
export const raisedEnd = '\ufdd1';

export function markRaised(text: string): string {
  return text === '' ? '' : `${raisedStart}${text}${raisedEnd}`;
}

/**
 * Rewrites the superscripts of a line, so that their digits are not read as part of the number before them. Exponents
 * become `10^6` or `m²`, note marks `[^2]`, fractions `2 1/2`, cents `19.99` and minutes `14:30`. Letters and signs, as
 * in `1st`, stay unchanged.
 */
export function writeRaised(line: string): string {
  if (!line.includes(raisedStart)) return line;
  return line
    .replace(/\ufdd1\ufdd0|(?<=\ufdd0)\ufdd0|(?<=\ufdd1)\ufdd1/g, '')
    .replace(raised, (_, text: string, at: number, whole: string) => {
      const before = whole.slice(Math.max(0, at - contextLength), at);
      const after = whole.slice(at + text.length + 2, at + text.length + 2 + contextLength);
      return writeOne(text, before, after);
    })
    .replace(/[\ufdd0\ufdd1]/g, '');
}

const raised = /\ufdd0([^\ufdd0\ufdd1]{0,1000})\ufdd1/g;
/** Number of characters before and after a superscript that decide what it means. */
const contextLength = 40;

const exponent = /^[+\-−–]?\d{1,3}$/;
const marks = /^\d{1,3}(?: ?[,;–-] ?\d{1,3}){0,5}$/;
const currencyBefore = /[$€£¥] ?\d{1,6}$/;
const currencyAfter = /^ ?(?:[$€£¥]|(?:EUR|USD|CHF|GBP)\b)/;

function writeOne(text: string, before: string, after: string): string {
  const digits = text.trim();
  const isNumber = exponent.test(digits);
  if (!isNumber && !marks.test(digits)) return text;
  if (/(?:^|\s)$/.test(before)) return /^\p{L}{3}/u.test(after) ? `${digits} ` : text;
  const isAfterDigit = /\d$/.test(before);
  if (/^[/⁄]/.test(after)) return isAfterDigit ? ` ${digits}` : digits;
  if (isAfterDigit && /^\d\d$/.test(digits)) {
    if (currencyBefore.test(before) || currencyAfter.test(after)) return `.${digits}`;
    if (/^ ?(?:Uhr|[ap]\.?m\b)/.test(after)) return `:${digits}`;
  }
  return isNumber && isBase(before, digits) ? writeExponent(digits, before) : `[^${digits}]`;
}

/**
 * Whether the text ends with a possible base of a power: 10, 2, a variable, a unit, or an expression in parentheses.
 */
function isBase(before: string, digits: string): boolean {
  if (/^[+\-−–]/.test(digits)) return /[\p{L}\d)\]]$/u.test(before);
  return /(?<![\d.,])(?:10|2)$|(?<!\p{L})\p{L}{1,2}$|\((?![^()]*\p{L}\p{L})[^()]{1,30}\)$/u.test(
    before,
  );
}

function writeExponent(digits: string, before: string): string {
  const isUnit = /\p{L}$/u.test(before);
  if (isUnit && digits === '2') return '²';
  if (isUnit && digits === '3') return '³';
  return `^${digits.replace(/^[−–]/, '-')}`;
}
