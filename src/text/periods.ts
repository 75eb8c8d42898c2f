import { fold } from './tokenize.ts';

/** A year, or a quarter, a month or a day of a year. */
export interface Period {
  readonly year: number;
  readonly quarter?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
}

/**
 * Returns the periods in a text, such as `Q1 2023`, `2023-Q1`, `the first quarter of 2023`, `2023-05-31`, `May 2023`,
 * `2023`.
 */
export function extractPeriods(text: string): Period[] {
  return parsePeriods(fold(text)).periods;
}

/**
 * Splits a document name into its period and its series. The series is the rest of the name, normalized with `fold`.
 * The period is null if the name contains no period or several periods.
 */
export function parseSeries(documentName: string): { series: string; period: Period | null } {
  const { periods, rest } = parsePeriods(fold(documentName.replace(/\.[a-z0-9]{1,5}$/i, '')));
  const [period, another] = periods;
  return { series: rest, period: period === undefined || another !== undefined ? null : period };
}

/** Whether the periods are equal, or one of them contains the other. */
export function periodsOverlap(left: Period, right: Period): boolean {
  const agrees = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined || one === other;
  return (
    left.year === right.year &&
    agrees(quarterOf(left), quarterOf(right)) &&
    agrees(left.month, right.month) &&
    agrees(left.day, right.day)
  );
}

/** Returns a number for sorting periods. Periods are sorted by their end. */
export function periodSortKey(period: Period): number {
  const quarter = quarterOf(period);
  const month = period.month ?? (quarter === undefined ? 12 : quarter * 3);
  return (period.year * 12 + month) * 31 + (period.day ?? 31);
}

function quarterOf({ quarter, month }: Period): number | undefined {
  return quarter ?? (month === undefined ? undefined : Math.ceil(month / 3));
}

/** Matches a year. The year is in the group `year`. */
export const yearPattern = '(?<year>(?:1[6-9]|20)\\d\\d)';
const quarterPattern =
  '(?:q(?<quarter>[1-4])|(?<digit>[1-4])q|(?<ordinal>first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter)';
/**
 * Names of the months. Some languages have two forms: as a separate word and inside a date. They are constants, because
 * creating the formats of `Intl` at each start would take 30 ms and 15 MB.
 */
const monthNames = [
  'January February March April May June July August September October November December',
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
].flatMap((names) =>
  fold(names)
    .split(' ')
    .map((name, index) => ({ name, month: index + 1 })),
);
/** Matches the name of a month in folded text. The name is in the group `name`. */
export const monthPattern = `(?<name>${[...new Set(monthNames.map(({ name }) => name))].join('|')})`;
const separatorPattern = '[\\s,._/-]{1,3}(?:(?:of|fy|the|de|del)\\s)*';

/** The most specific pattern comes first. Later patterns do not search in text that an earlier pattern has matched. */
const periodPatterns = [
  `${yearPattern}[-_./ ](?<month>0[1-9]|1[0-2])(?:[-_./ ](?<day>0[1-9]|[12]\\d|3[01]))?`,
  `(?<day>0?[1-9]|[12]\\d|3[01])[./](?<month>0?[1-9]|1[0-2])[./]${yearPattern}`,
  `${yearPattern}${separatorPattern}${quarterPattern}`,
  `${quarterPattern}${separatorPattern}${yearPattern}`,
  `(?:(?<day>[12]?\\d|3[01])(?:\\.|st|nd|rd|th)? (?:of )?)?${monthPattern}(?: (?<dayAfter>[12]?\\d|3[01])(?:st|nd|rd|th)?)?${separatorPattern}${yearPattern}`,
  `${yearPattern}${separatorPattern}${monthPattern}`,
  `(?:fy ?)?${yearPattern}`,
].map((form) => new RegExp(`(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`, 'gu'));

const ordinals = ['first', 'second', 'third', 'fourth'];

function parsePeriods(folded: string): { periods: Period[]; rest: string } {
  const periods: Period[] = [];
  let rest = folded.replaceAll('_', ' ');
  for (const form of periodPatterns) {
    rest = rest.replace(form, (...match: unknown[]) => {
      const groups: unknown = match.at(-1);
      if (typeof groups === 'object' && groups !== null)
        periods.push(periodFromMatch({ ...groups }));
      return ' ';
    });
  }
  return { periods: distinct(periods), rest: rest.replace(/[\s_.,/()-]+/g, ' ').trim() };
}

function periodFromMatch(groups: Readonly<Record<string, string | undefined>>): Period {
  const { year, quarter, digit, ordinal, month, name, day, dayAfter } = groups;
  const given = {
    quarter: quarter ?? digit ?? (ordinal && ordinalNumber(ordinal)),
    month: month ?? (name && monthNumber(name)),
    day: day ?? dayAfter,
  };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    year: Number(year),
    ...Object.fromEntries(known.map(([key, value]) => [key, Number(value)])),
  };
}

/** Returns the number of a month (1 to 12) for its folded name, or null if the name is unknown. */
export function monthNumber(name: string): number | null {
  return monthNames.find((one) => one.name === name)?.month ?? null;
}

function ordinalNumber(ordinal: string): number {
  return ordinals.indexOf(ordinal) + 1 || Number(ordinal[0]);
}

function distinct(periods: readonly Period[]): Period[] {
  return [...new Map(periods.map((period) => [JSON.stringify(period), period])).values()];
}
