import { detectLanguage, type Language } from '../detect-language.ts';
import { type CompiledPhrases, compilePhrases, coverWords } from './compile-phrases.ts';
import { correctTypo } from './correct-typos.ts';
import { isGibberish } from './gibberish.ts';
import { type Intent, intents } from './intent.ts';
import { normalizeMessage } from './normalize-message.ts';
import { de } from './phrases/de.ts';
import { en } from './phrases/en.ts';
import { es } from './phrases/es.ts';
import { fr } from './phrases/fr.ts';
import { it } from './phrases/it.ts';
import { nl } from './phrases/nl.ts';
import { pt } from './phrases/pt.ts';

export interface DetectedIntent {
  /** Null if the message is a question for the documents. */
  readonly intent: Intent | null;
  /** Language of the message, or `likelyLanguage` if the message does not show it. */
  readonly language: Language;
}

/**
 * Detects messages that are only small talk, in the languages of the widget. Conservative: each word of the message
 * must belong to a phrase of small talk in one language. "Thanks, and what about refunds?" is therefore a question.
 *
 * @param likelyLanguage Language of a message that is the same in several languages, or in none.
 */
export function detectIntent(message: string, likelyLanguage: Language = 'en'): DetectedIntent {
  const normalized = normalizeMessage(message);
  const language = () => detectLanguage(message) ?? likelyLanguage;
  if (normalized === null) return { intent: null, language: language() };
  const { words, emojiIntent, isWordless } = normalized;
  if (isWordless) return { intent: emojiIntent ?? 'GIBBERISH', language: likelyLanguage };
  const matches = byProbability.flatMap((language) => {
    const intent = coveredIntent(words, compiledPhrases()[language]);
    return intent === null ? [] : [{ intent, language }];
  });
  const [first] = matches;
  if (first !== undefined) {
    const expected = [likelyLanguage, language()];
    return matches.find(({ language }) => expected.includes(language)) ?? first;
  }
  const intent = isGibberish(message) ? 'GIBBERISH' : null;
  return { intent, language: intent === null ? language() : likelyLanguage };
}

/** Most likely first for words such as "ciao" and "merci", which several languages use. */
const byProbability: readonly Language[] = ['en', 'it', 'fr', 'de', 'es', 'nl', 'pt'];

function coveredIntent(words: readonly string[], phrases: CompiledPhrases): Intent | null {
  const corrected = words.map((word) => correctTypo(word, phrases.words));
  if (!corrected.every((word) => phrases.words.has(word))) return null;
  const found = coverWords(corrected, phrases);
  return intents.find((intent) => found?.has(intent)) ?? null;
}

let compiled: Readonly<Record<Language, CompiledPhrases>> | null = null;

/** Prepares the phrases at the first message, because it takes some milliseconds. */
function compiledPhrases(): Readonly<Record<Language, CompiledPhrases>> {
  compiled ??= {
    en: compilePhrases(en),
    de: compilePhrases(de),
    es: compilePhrases(es),
    fr: compilePhrases(fr),
    it: compilePhrases(it),
    nl: compilePhrases(nl),
    pt: compilePhrases(pt),
  };
  return compiled;
}
