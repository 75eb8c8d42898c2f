import { contentTerms } from '../../text/terms.ts';
import { fold } from '../../text/tokenize.ts';
import { asksForSteps } from './answer-type.ts';

interface Text {
  readonly text: string;
  /** Terms of the headings above it. */
  readonly topic: readonly string[];
}

/**
 * Whether a text is about something else than a question: it lacks an identifier or a version of the question, such as
 * "imageSize", "--size" or "3.15", the default that is asked for, or the name of the one whose phone number or e-mail
 * address is asked for, which another text has.
 */
export function lacksSubject(question: string, best: Text, others: readonly Text[]): boolean {
  const versions = [...question.matchAll(versionPattern)];
  const { text, topic } = best;
  if (versions.some(([version]) => !text.includes(version) && !topic.includes(version)))
    return true;
  // Steps that fix an error or change a default often do not repeat its name.
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
/** "3.15", but not a date or an amount of money. */
const versionPattern =
  /(?<![\p{Sc}\p{Nd}.,/:-])(?<!\p{Sc} )\p{Nd}{1,3}(?:\.\p{Nd}{1,4}){1,3}(?![\p{Nd}.,%/:-]|\s?\p{Sc})/gu;
/** Words for what holds if nothing is set. */
const defaultPattern =
  /\b(?:defaults?|preset|out of the box|initial(?:ly)?|(?:if|when|unless) (?:\p{L}+ ){0,4}(?:set|changed|specified|configured|given|omitted)|standard(?:mäßig)?|voreingestellt|vorgabe|por defecto|par défaut|predefinito)(?!\p{L})/iu;
const contactPattern = /\b(?:phone|telephone|fax|e-?mail|extension|telefon\w*|durchwahl)\b/iu;
const namePattern = /(?<=\p{L} )\p{Lu}\p{Ll}{2,}/gu;
const identifierPattern =
  /(?<![\p{L}\p{Nd}])(?:--?[a-z][a-z-]{2,}|\p{Ll}+\p{Lu}\p{L}*|\p{L}+_[\p{L}_]+)/gu;
