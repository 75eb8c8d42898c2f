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
  /** Null if the message is not small talk and must be answered from the documents. */
  readonly intent: Intent | null;
  /** Language of the message. If the message does not show its language, `likelyLanguage`. */
  readonly language: Language;
}

/**
 * Detects messages that contain only small talk, in the languages of the widget. Is conservative: each word of the
 * message must belong to a small talk phrase of one language. So "Thanks, and what about refunds?" is a question.
 *
 * @param likelyLanguage Language to assume if the message is the same in several languages, or belongs to none.
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

/**
 * Languages in the order of their probability. The order decides for words that several languages use, such as "ciao"
 * and "merci".
 */
const byProbability: readonly Language[] = ['en', 'it', 'fr', 'de', 'es', 'nl', 'pt'];

function coveredIntent(words: readonly string[], phrases: CompiledPhrases): Intent | null {
  const corrected = words.map((word) => correctTypo(word, phrases.words));
  if (!corrected.every((word) => phrases.words.has(word))) return null;
  const found = coverWords(corrected, phrases);
  return intents.find((intent) => found?.has(intent)) ?? null;
}

let compiled: Readonly<Record<Language, CompiledPhrases>> | null = null;

/** Prepares the phrases when the first message arrives, because that takes some milliseconds. */
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
