import { detectLanguage, type Language } from '../../text/detect-language.ts';
import { wordCount } from '../../text/readable-text.ts';

/** Sentence in each language that says that the following passage is in another language. */
const leads: Readonly<Record<Language, (language: string) => string>> = {
  en: (language) => `I found this in ${language}:`,
  de: (language) => `Das habe ich auf ${language} gefunden:`,
  fr: (language) => `J'ai trouvé ceci en ${language} :`,
  es: (language) => `He encontrado esto en ${language}:`,
  it: (language) => `Ho trovato questo in ${language}:`,
  nl: (language) => `Dit heb ik in het ${language} gevonden:`,
  pt: (language) => `Encontrei isto em ${language}:`,
};

/** Minimum number of words of a question. The language of a shorter text is often guessed incorrectly. */
const minWords = 4;

/**
 * If a quote and the question are in different languages, returns an introduction for the quote: "I found this in
 * German:". Returns null if both have the same language, or if one of the languages is not clear. Also returns null if
 * the quote and its passage have different languages, because the quote may then be just a foreign name or title.
 */
export function foreignPassageLead(
  question: string,
  quote: string,
  passage: string,
): string | null {
  if (wordCount(question) < minWords) return null;
  const asked = detectLanguage(question);
  const found = detectLanguage(quote);
  if (asked === null || found === null || asked === found) return null;
  if (detectLanguage(passage) !== found) return null;
  const name = new Intl.DisplayNames(asked, { type: 'language' }).of(found);
  return name === undefined ? null : leads[asked](name);
}
