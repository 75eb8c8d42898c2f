const languages = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'ru', 'ar', 'hi', 'zh', 'ja'];
const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];

/**
 * Names of the units of time in several languages, in singular and plural forms, such as "day", "days", "Tage" and
 * "дней".
 */
const unitNames = languages.flatMap((language) =>
  units.flatMap((unit) => [1, 2, 5].map((count) => unitName(language, unit, count))),
);

function unitName(language: string, unit: string, count: number): string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  const parts = format.formatToParts(count).filter(({ type }) => type === 'unit');
  return parts.map(({ value }) => value.trim()).join(' ');
}

function alternatives(names: readonly string[]): string {
  return [...new Set(names)].filter(Boolean).join('|');
}

const numberWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|zehn|zwölf|dos|tres|cuatro|cinco|seis|diez|doce|deux|trois|quatre|cinq|dix|due|tre|quattro|cinque|dois|duas|два|две|три|четыре|пять|шесть|десять';
/** Words that are before the unit in a rate, such as "15 euros per day". */
const rateWords =
  'a|an|per|each|every|pro|je|jede[nrs]?|par|chaque|por|cada|al|a la|alla|ogni|à|в|за';
const ideographic = /[一-鿿]/u;

/**
 * Matches a duration: a number, at most two words, and a unit of time, such as "30 days" or "two business days". Does
 * not match a rate, such as "15 euros per day".
 */
export const durationPattern = new RegExp(
  [
    String.raw`(?:\p{Nd}|(?<!\p{L})(?:${numberWords}))[ -](?:(?!(?:${rateWords}) )\p{L}{1,12} ){0,2}(?:${alternatives(unitNames.filter((name) => !ideographic.test(name)))})(?!\p{L})`,
    String.raw`[\p{Nd}一二两三四五六七八九十百] ?(?:个|個|か|ヶ)?(?:${alternatives(unitNames.filter((name) => ideographic.test(name)))}|月|週間|星期)`,
  ].join('|'),
  'iu',
);
