import { detectLanguage, type Language } from '../../text/detect-language.ts';
import { wordCount } from '../../text/readable-text.ts';

/** In each language: that the passage after it is in another language. */
const leads: Readonly<Record<Language, (language: string) => string>> = {
  en: (language) => `I found this in ${language}:`,
  de: (language) => `Das habe ich auf ${language} gefunden:`,
  fr: (language) => `J'ai trouvé ceci en ${language} :`,
  es: (language) => `He encontrado esto en ${language}:`,
  it: (language) => `Ho trovato questo in ${language}:`,
  nl: (language) => `Dit heb ik in het ${language} gevonden:`,
  pt: (language) => `Encontrei isto em ${language}:`,
};

/** Minimum number of words of a question. The language of a shorter text is often guessed wrong. */
const minWords = 4;

/**
 * Returns the introduction of a quote that is in another language than the question: "I found this in German:". Returns
 * null if both are in the same language, or if the language of one is not clear. The quote must be in the language of
 * the passage that contains it, because a foreign name or title is no foreign passage.
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
