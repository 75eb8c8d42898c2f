const weekdayPattern =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)s?$/iu;

/** Whether a text is the name of a weekday, in English or German. */
export function isWeekday(text: string): boolean {
  return weekdayPattern.test(text);
}
