import { fold } from './tokenize.ts';

/** A year, or a quarter, a month or a day of it. */
export interface Period {
  readonly year: number;
  readonly quarter?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
}

/** The periods a text names, such as `Q1 2023`, `2023-Q1`, `the first quarter of 2023`, `2023-05-31`, `May 2023`, `2023`. */
export function periodsIn(text: string): Period[] {
  return readPeriods(fold(text)).periods;
}

/**
 * Splits a document's name into the one period it is of and the series it belongs to: what is left of the name,
 * folded. The period is null where the name tells none, or several, as a history does.
 */
export function seriesOf(documentName: string): { series: string; period: Period | null } {
  const { periods, rest } = readPeriods(fold(documentName.replace(/\.[a-z0-9]{1,5}$/i, '')));
  const [period, another] = periods;
  return { series: rest, period: period === undefined || another !== undefined ? null : period };
}

/** Whether one of the two lies in the other. */
export function isWithin(left: Period, right: Period): boolean {
  const agrees = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined || one === other;
  return (
    left.year === right.year &&
    agrees(quarterOf(left), quarterOf(right)) &&
    agrees(left.month, right.month) &&
    agrees(left.day, right.day)
  );
}

/** Orders periods by when they end. */
export function endOf(period: Period): number {
  const quarter = quarterOf(period);
  const month = period.month ?? (quarter === undefined ? 12 : quarter * 3);
  return (period.year * 12 + month) * 31 + (period.day ?? 31);
}

function quarterOf({ quarter, month }: Period): number | undefined {
  return quarter ?? (month === undefined ? undefined : Math.ceil(month / 3));
}

const YEAR = '(?<year>(?:1[6-9]|20)\\d\\d)';
const QUARTER =
  '(?:q(?<quarter>[1-4])|(?<digit>[1-4])q|(?<ordinal>first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter)';
/** As they stand alone and, where that differs, beside a day. */
const MONTHS = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'ru'].flatMap((language) =>
  Array.from({ length: 12 }, (_, index) => index + 1).flatMap((month) =>
    [undefined, 'numeric' as const].flatMap((day) => {
      const format = new Intl.DateTimeFormat(language, { day, month: 'long', timeZone: 'UTC' });
      const parts = format.formatToParts(Date.UTC(2023, month - 1, 15));
      return parts.flatMap(({ type, value }) =>
        type === 'month' ? [{ name: fold(value), month }] : [],
      );
    }),
  ),
);
const MONTH = `(?<name>${[...new Set(MONTHS.map(({ name }) => name))].join('|')})`;
const GAP = '[\\s,._/-]{1,3}(?:(?:of|fy|the|de|del)\\s)*';

/** The most telling first: what one takes is gone for the next. */
const FORMS = [
  `${YEAR}[-_./ ](?<month>0[1-9]|1[0-2])(?:[-_./ ](?<day>0[1-9]|[12]\\d|3[01]))?`,
  `(?<day>0?[1-9]|[12]\\d|3[01])[./](?<month>0?[1-9]|1[0-2])[./]${YEAR}`,
  `${YEAR}${GAP}${QUARTER}`,
  `${QUARTER}${GAP}${YEAR}`,
  `(?:(?<day>[12]?\\d|3[01])\\.? )?${MONTH}(?: (?<dayAfter>[12]?\\d|3[01]))?${GAP}${YEAR}`,
  `${YEAR}${GAP}${MONTH}`,
  `(?:fy ?)?${YEAR}`,
].map((form) => new RegExp(`(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`, 'gu'));

const ORDINALS = ['first', 'second', 'third', 'fourth'];

function readPeriods(folded: string): { periods: Period[]; rest: string } {
  const periods: Period[] = [];
  let rest = folded.replaceAll('_', ' ');
  for (const form of FORMS) {
    rest = rest.replace(form, (...match: unknown[]) => {
      const groups: unknown = match.at(-1);
      if (typeof groups === 'object' && groups !== null) periods.push(periodOf({ ...groups }));
      return ' ';
    });
  }
  return { periods: distinct(periods), rest: rest.replace(/[\s_.,/()-]+/g, ' ').trim() };
}

function periodOf(groups: Readonly<Record<string, string | undefined>>): Period {
  const { year, quarter, digit, ordinal, month, name, day, dayAfter } = groups;
  const given = {
    quarter: quarter ?? digit ?? (ordinal && ordinalNumber(ordinal)),
    month: month ?? (name && MONTHS.find((one) => one.name === name)?.month),
    day: day ?? dayAfter,
  };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    year: Number(year),
    ...Object.fromEntries(known.map(([key, value]) => [key, Number(value)])),
  };
}

function ordinalNumber(ordinal: string): number {
  return ORDINALS.indexOf(ordinal) + 1 || Number(ordinal[0]);
}

function distinct(periods: readonly Period[]): Period[] {
  return [...new Map(periods.map((period) => [JSON.stringify(period), period])).values()];
}
