import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import type { Texts } from './language-texts.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';

const textsByLanguage: Readonly<Record<string, Texts>> = { de, en, es, fr, it, nl, pt };

/** Returns the texts for a language tag such as `de-AT`. Falls back to English. */
export function textsForLanguage(tag: string): Texts {
  const language = tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return (Object.hasOwn(textsByLanguage, language) && textsByLanguage[language]) || en;
}
