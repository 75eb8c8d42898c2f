import { fold } from './tokenize.ts';

/**
 * One unit of what a price is for, such as "for one day", and how tables write it, such as "per day". English, German,
 * French and Spanish.
 */
const rates: readonly { readonly unit: RegExp; readonly words: readonly string[] }[] = [
  { unit: /\bfor (?:one|an?) (hour|day|night|week|month|year|person)\b/i, words: ['per'] },
  {
    unit: /\bf(?:ü|ue)r ein(?:en?)? (stunde|tag|nacht|woche|monat|jahr|person)\b/i,
    words: ['pro', 'je'],
  },
  { unit: /\bpour une? (heure|jour|nuit|semaine|mois|an|personne)\b/i, words: ['par'] },
  { unit: /\bpor una? (hora|día|noche|semana|mes|año|persona)\b/i, words: ['por'] },
];

/**
 * Writes the unit of a price in a query as the texts do: "for one day" becomes "per day". The words "one" and "day" would
 * otherwise find texts that count something else. Leaves the query unchanged if a text has its words.
 */
export function withRatesOf(texts: readonly string[], query: string): string {
  for (const { unit, words } of rates) {
    const [asked, name] = unit.exec(query) ?? [];
    if (asked === undefined || name === undefined) continue;
    const folded = texts.map(fold);
    const isWritten = (phrase: string) => folded.some((text) => text.includes(fold(phrase)));
    const rate = words.map((word) => `${word} ${name.toLowerCase()}`).find(isWritten);
    if (rate !== undefined && !isWritten(asked)) return query.replace(asked, rate);
  }
  return query;
}
