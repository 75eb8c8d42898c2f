import { format, getFormatDateInfo, getFormatFromId, isDateFormat } from 'numfmt';

/** Maximum length of a number format in Excel, in UTF-16 units. */
const maxCodeLength = 255;
const daysFrom1900To1904 = 1_462;
/** Ids of built-in date formats for East Asian languages (ECMA-376 part 1, 18.8.30). */
const eastAsianDateIds = /^(?:2[7-9]|3[016]|5[0-8])$/;
/** Highest id of a known built-in format. From id 164 on, files define their own formats. */
const maxBuiltInId = 68;

/**
 * Returns a function that formats a number. The format is given as a format code or as the id of a built-in format.
 * Dates become ISO 8601, because the order of day and month depends on the language.
 */
export function createNumberFormatter(
  is1904: boolean,
): (value: number, codeOrId: string | number) => string {
  const codes = new Map<string | number, NumberFormat>();
  return (value, codeOrId) => {
    let known = codes.get(codeOrId);
    if (known === undefined) {
      known = numberFormatOf(codeOrId);
      codes.set(codeOrId, known);
    }
    if (known.code === 'General') return String(Number(value.toPrecision(15)));
    const serial = known.isDate && is1904 ? value + daysFrom1900To1904 : value;
    try {
      return format(known.code, serial, { locale: 'en' });
    } catch {
      return String(value);
    }
  };
}

/**
 * Matches a currency with a locale, such as `[$€-407]`. The locale is removed, so that all cells have the same separators.
 */
const localePattern = /\[\$([^\]-]{0,40})-[^\]]{0,40}\]/g;

interface NumberFormat {
  readonly code: string;
  readonly isDate: boolean;
}

function numberFormatOf(codeOrId: string | number): NumberFormat {
  const isEastAsianDate = typeof codeOrId === 'number' && eastAsianDateIds.test(String(codeOrId));
  if (isEastAsianDate) return { code: 'yyyy-mm-dd', isDate: true };
  const code = typeof codeOrId === 'number' ? builtInCode(codeOrId) : codeOrId;
  if (code.length > maxCodeLength || /^general$/i.test(code)) {
    return { code: 'General', isDate: false };
  }
  if (isDateFormat(code)) return { code: isoCodeOf(code), isDate: true };
  return { code: code.replace(localePattern, '[$$$1]'), isDate: false };
}

function builtInCode(id: number): string {
  return id <= maxBuiltInId ? getFormatFromId(id, 'en') : 'General';
}

/**
 * Returns the ISO format code that has the same parts as a date format. Returns formats of durations and partial dates
 * unchanged.
 */
function isoCodeOf(code: string): string {
  if (/\[[hms]+\]/i.test(code)) return code;
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const hasDate = year && month && day;
  if ((year || month || day) && !hasDate) return code;
  const time = hours && minutes ? `hh:mm${seconds ? ':ss' : ''}` : '';
  if (!hasDate) return time === '' ? code : time;
  return time === '' ? 'yyyy-mm-dd' : `yyyy-mm-dd ${time}`;
}
