import { contentTerms } from '../../text/terms.ts';
import { fold } from '../../text/tokenize.ts';
import { asksForSteps } from './answer-type.ts';

interface Text {
  readonly text: string;
  /** Terms of the headings above the text. */
  readonly topic: readonly string[];
  /** Numbers of the headings above the text. */
  readonly sections?: readonly string[];
}

/**
 * Whether the best text is about another subject than the question. This is the case if it lacks an identifier or a
 * version of the question, such as "imageSize", "--size" or "3.15". It is also the case if the question asks for a
 * default and the text names none. If the question asks for a phone number or an e-mail address, it is also the case if
 * the text lacks the owner's name and another text contains it.
 */
export function lacksSubject(question: string, best: Text, others: readonly Text[]): boolean {
  const versions = [...question.matchAll(versionPattern)];
  const { text, sections = [] } = best;
  if (versions.some(([version]) => !text.includes(version) && !sections.includes(version)))
    return true;
  // Steps that fix an error or change a default often do not repeat the name of the error or setting.
  if (!asksForSteps(question)) {
    const identifiers = [...question.matchAll(identifierPattern)];
    if (identifiers.length > 0) return identifiers.some(([name]) => !contains(best, name));
    if (askedDefault.test(question)) return !defaultPattern.test(text);
  }
  const names = contactPattern.test(question) ? [...question.matchAll(namePattern)] : [];
  const isElsewhere = (name: string) => others.some((other) => contains(other, name));
  return names.some(([name]) => !contains(best, name) && isElsewhere(name));
}

function contains({ text, topic }: Text, name: string): boolean {
  if (fold(text).includes(fold(name))) return true;
  const known = new Set([...contentTerms(text), ...topic]);
  return contentTerms(name).every((term) => known.has(term));
}

const askedDefault =
  /\b(?:by default|defaults?|standardmäßig|voreingestellt|por defecto|par défaut)(?!\p{L})/iu;
/** Matches versions such as "3.15", but not dates or amounts of money. */
const versionPattern =
  /(?<![\p{Sc}\p{Nd}.,/:-])(?<!\p{Sc} )\p{Nd}{1,3}(?:\.\p{Nd}{1,4}){1,3}(?![\p{Nd}.,%/:-]|\s?\p{Sc})/gu;
/** Matches words for the value that applies if nothing is set. */
const defaultPattern =
  /\b(?:defaults?|preset|out of the box|initial(?:ly)?|(?:if|when|unless) (?:\p{L}+ ){0,4}(?:set|changed|specified|configured|given|omitted)|standard(?:mäßig)?|voreingestellt|vorgabe|por defecto|par défaut|predefinito)(?!\p{L})/iu;
const contactPattern = /\b(?:phone|telephone|fax|e-?mail|extension|telefon\w*|durchwahl)\b/iu;
const namePattern = /(?<=\p{L} )\p{Lu}\p{Ll}{2,}/gu;
const identifierPattern =
  /(?<![\p{L}\p{Nd}])(?:--?[a-z][a-z-]{2,}|\p{Ll}+\p{Lu}\p{L}*|\p{L}+_[\p{L}_]+)/gu;
