import { detectLanguage, isForeignTo, type Language } from '../../text/detect-language.ts';
import { contentTerms } from '../../text/terms.ts';
import { visibleLine } from '../../text/visible-line.ts';

const maxLength = 100;
const maxWords = 9;

/**
 * Returns a question that the text below a heading answers: the heading if it is a question, otherwise one that names
 * the heading, in the language of the text. Returns null if that would not read well.
 */
export function questionOfHeading(heading: string, text: string): string | null {
  const line = visibleLine(heading.slice(0, 2 * maxLength))
    .replace(sectionNumber, '')
    .replace(/(?<![\s:.…–-])[\s:.…–-]+$/u, '');
  if (line.length < 3 || line.length > maxLength || !isProse.test(line)) return null;
  const words = line.split(' ').length;
  if (/[?？؟]$/u.test(line)) return words > 2 || !/\p{Script=Latin}/u.test(line) ? line : null;
  if (words > maxWords || isVague.test(line) || genericHeadings.has(line.toLowerCase()))
    return null;
  if (!isAbout(text, line)) return null;
  const language = detectLanguage(text);
  if (language === null || isForeignTo(text, language)) return null;
  return wordings[language]?.(line) ?? null;
}

/** Whether the text has at least half of the heading's content words. Otherwise a search may prefer another text. */
function isAbout(text: string, heading: string): boolean {
  const asked = [...new Set(contentTerms(heading))];
  const known = new Set(contentTerms(text));
  const shared = asked.filter((term) => known.has(term)).length;
  return shared > 0 && 2 * shared >= asked.length;
}

/** Such as `3.2 `, `§ 4 ` or `B. `. */
const sectionNumber = /^(?:§{1,2}\s?)?(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3})*[.)]?|\p{Lu}[.)])\s+/u;

/** Words and their punctuation: no code, paths, addresses, placeholders or quotation marks. */
const isProse = /^[\p{Lu}¿¡](?:[\p{L}\p{M}\p{Nd} ,&'’()?？؟%€$-]|\.(?=\s|$)|:(?= ))*$/u;

/** Headings such as "Change it" or "Other things", which need the text around them. */
const isVague = /\b(?:it|this|that|these|those|things?|others?)\b/iu;

/**
 * Languages in whose sentences a heading can be quoted without changing it. The other words do not occur in documents, so
 * that the search finds only the heading.
 */
const wordings: Partial<Record<Language, (heading: string) => string>> = {
  en: (heading) => `What about “${heading}”?`,
  de: (heading) => `Was ist mit „${heading}“?`,
};

/** Headings that say nothing about what the text below them is about, in lower case. */
const genericHeadings: ReadonlySet<string> = new Set(
  `about this document|abstract|annex|appendix|background|changelog|conclusion|contents|definitions|disclaimer|examples|faq
  |frequently asked questions|general|glossary|imprint|index|introduction|legal notice|miscellaneous|more information|notes|other
  |overview|purpose|references|related|scope|see also|summary|table of contents|allgemeines|anhang|anlage|beispiele|einleitung
  |fazit|geltungsbereich|glossar|häufige fragen|hinweise|impressum|inhalt|inhaltsverzeichnis|sonstiges|übersicht|zusammenfassung`
    .split('|')
    .map((heading) => heading.trim()),
);
