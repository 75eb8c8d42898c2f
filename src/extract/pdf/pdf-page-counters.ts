import { lineText, type PdfLine } from './pdf-lines.ts';

/** A number in a line that may be the number of the page. */
export interface PageCounter {
  readonly kind: 'BARE' | 'PAGE_WORD' | 'TITLED';
  /** The line with `<offset>` instead of the number: equal on all pages if the number follows the page. */
  readonly key: string;
  /** Difference between the number and the position of the page, which is counted from 1. */
  readonly offset: number;
  /** Number of pages that the line names, as in `3 of 12`. */
  readonly total: number | null;
  /** Text of the line without the number and without words for `page`. */
  readonly title: string;
  /** Separator between the number and the title. */
  readonly separation: 'RULE' | 'DASH' | 'GAP' | 'NONE';
}

/**
 * Matches words for `page`. Short ones have other meanings, such as `Quay Str. 3`, so they must start the line or follow
 * a separator.
 */
const wordBefore =
  /(?:(?:^|[^\p{L}])(?:pages?|pg|seite|página|pagina|pág|pag|sida|sivu|strona|strana|stránka|oldal|страница|сторінка|σελίδα|bladzijde|trang|halaman|sayfa|صفحة|الصفحة|صفحه|עמוד|पृष्ठ|หน้า|第)[.:]?|(?:^|[|·•–—,-]\s*)(?:(?:p|pp|s|str|стр|с|σελ|blz|hal|עמ)[.'׳]|side|folio))\s*$/iu;
const wordAfter =
  /^\.?\s*(?:(?:oldal|sayfa|sivu|strona|strana|page)(?!\p{L})|页|頁|ページ|쪽|페이지)/iu;
const totalAfter =
  /^(?:\s?\/\s?|\s(?:of|von|de|di|da|do|sur|van|av|af|z|ze|od|iz|din|na|από|из|з|із|من|از|מתוך|में से|का|จาก|trên|dari|共)\s|\s?[页頁]\s?[,，/]?\s?共\s?)(?<total>\d{1,5})(?:\s?[页頁])?(?![\p{L}\p{N}])/iu;
const separators = /^[\s|·•–—\-()[\]]+|(?<![\s|·•–—\-()[\]])[\s|·•–—\-()[\]]+$/g;

/** Maximum UTF-16 units of a line with a page number. */
const maxLength = 300;

/**
 * Returns the first and last numbers of a line, because they may count the pages. `page` is the position of the page,
 * from 0.
 */
export function pageCounters(line: PdfLine, page: number): PageCounter[] {
  const text = withLatinDigits(lineText(line));
  if (text.length > maxLength) return [];
  const matches = text.matchAll(
    /(?<![\p{L}\p{N}])\d{1,5}(?![\p{L}\p{N}])|(?<=^|\s)[ivxlc]{1,8}(?=\s|$)/giu,
  );
  const numbers = [...matches].filter((_, at, { length }) => at < 2 || at >= length - 2);
  return numbers.flatMap(({ index, 0: digits }) => {
    const number = /\d/.test(digits) ? Number(digits) : romanNumber(digits);
    if (Number.isNaN(number)) return [];
    const after = text.slice(index + digits.length);
    return [readCounter(line, number, page, text.slice(0, index), after)];
  });
}

function readCounter(
  line: PdfLine,
  number: number,
  page: number,
  before: string,
  after: string,
): PageCounter {
  const offset = number - page - 1;
  const named = totalAfter.exec(after);
  const total = Number(named?.groups?.total ?? Number.NaN);
  const rest = named !== null && total >= number ? after.slice(named[0].length) : after;
  const left = before.replace(wordBefore, ' ');
  const right = rest.replace(wordAfter, ' ');
  const title = `${left} ${right}`.replace(separators, '').replace(/\s+/g, ' ');
  const hasWord = left !== before || right !== rest || wordAfter.test(after);
  return {
    kind: hasWord ? 'PAGE_WORD' : /[\p{L}\p{N}]/u.test(title) ? 'TITLED' : 'BARE',
    key: `${before}<${offset}>${after}`,
    offset,
    total: total >= number ? total : null,
    title,
    separation: separationOf(line, left, right),
  };
}

function separationOf({ cells }: PdfLine, left: string, right: string): PageCounter['separation'] {
  const marks = [left.trim().at(-1), right.trim().at(0)].filter((mark) => mark !== undefined);
  if (marks.every((mark) => /[|·•]/.test(mark))) return 'RULE';
  if (marks.every((mark) => /[|·•–—-]/.test(mark))) return 'DASH';
  const cell = (right.trim() === '' ? cells.at(-1) : cells.at(0))?.text ?? '';
  return cells.length > 1 && marks.length === 1 && /^[\P{L}ivxlc]+$/iu.test(cell) ? 'GAP' : 'NONE';
}

/** Replaces the decimal digits of all scripts by 0 to 9. */
function withLatinDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let zero = point;
    while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(point - zero);
  });
}

const romanSteps: readonly (readonly [number, string])[] = [
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Returns the value of a roman numeral, or NaN if the letters are not a numeral in its usual form. */
function romanNumber(letters: string): number {
  let rest = letters.toLowerCase();
  let number = 0;
  for (const [value, step] of romanSteps) {
    for (let times = 0; rest.startsWith(step) && times < 4; times += 1) {
      number += value;
      rest = rest.slice(step.length);
    }
  }
  return rest === '' ? number : Number.NaN;
}
