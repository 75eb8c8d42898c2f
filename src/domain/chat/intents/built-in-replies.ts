import type { HistoryMessage } from '../../../models/models.ts';
import { detectLanguage, type Language } from '../../../text/detect-language.ts';
import { de } from './replies/de.ts';
import { en } from './replies/en.ts';
import { es } from './replies/es.ts';
import { fr } from './replies/fr.ts';
import { it } from './replies/it.ts';
import { nl } from './replies/nl.ts';
import { pt } from './replies/pt.ts';
import type { Replies } from './replies/replies.ts';

export const builtInReplies: Readonly<Record<Language, Replies>> = { en, de, es, fr, it, nl, pt };

/** Returns "I don't know" in the language of the question, or in English if the language is not clear. */
export function builtInFallbackText(question: string, history: readonly HistoryMessage[]): string {
  const language = detectLanguage(question) ?? languageOfHistory(history);
  return builtInReplies[language].fallback;
}

/** Returns the language of the latest question whose language is clear. Returns English if there is none. */
export function languageOfHistory(history: readonly HistoryMessage[]): Language {
  for (const { role, content } of history.toReversed()) {
    const language = role === 'USER' ? detectLanguage(content) : null;
    if (language !== null) return language;
  }
  return 'en';
}
