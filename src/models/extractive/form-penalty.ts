import { areAllKnown, contentTerms } from '../../text/terms.ts';
import { whenQuestion } from './when-question.ts';

/** Minimum number of "label: value" pairs in a form. */
const minPairs = 3;
const penalty = 0.35;

/**
 * Returns a function that computes a penalty for the text of a form, such as "Location: Belen; Aircraft: Sorrell
 * SNJ-7". There is no penalty if the question names a label of the form. If it names only values, these just show which
 * document the question is about.
 */
export function formPenalty(question: string): (text: string) => number {
  const { isAsked } = namedBy(question);
  return (text) => {
    const labels = labelsOf(text);
    return labels.length < minPairs || labels.some(isAsked) ? 0 : penalty;
  };
}

/**
 * Returns two functions: `isNamed` checks whether the question contains all words of a text, and `isAsked` whether it
 * asks for a label.
 */
function namedBy(question: string) {
  const asked = new Set(contentTerms(question));
  const wanted = labelsByQuestion.filter(([questions]) => questions.test(question));
  const isNamed = (text: string) => areAllKnown(contentTerms(text), asked);
  const isAsked = (label: string) =>
    isNamed(label) || wanted.some(([, names]) => names.test(label));
  return { isNamed, isAsked };
}

/**
 * Returns only those pairs of a form that the question asks for by label, and pairs whose value the question names,
 * such as the place of an accident. Returns the text unchanged if it is not a form or the question asks for no label.
 */
export function selectPairs(text: string, question: string): string {
  const { isNamed, isAsked } = namedBy(question);
  const pairs = text.split(/; (?=[^:;()]{1,40}:)/u).map((pair) => {
    const [, label = '', value = ''] = /^([^:;()]{1,40}):\s*(.*)$/u.exec(pair) ?? [];
    const isContext = isNamed(value);
    return { pair, isWanted: isAsked(label) && value !== '' && !isContext, isContext };
  });
  if (pairs.length < minPairs || !pairs.some(({ isWanted }) => isWanted)) return text;
  const context = pairs.filter(({ isContext }) => isContext).slice(0, maxContext);
  return pairs
    .filter((one) => one.isWanted || context.includes(one))
    .map(({ pair }) => pair)
    .join('; ');
}

const maxContext = 2;

/** Whether a text consists of "label: value" pairs. */
export function isForm(text: string): boolean {
  return labelsOf(text).length >= minPairs;
}

function labelsOf(text: string): string[] {
  return [...text.matchAll(labelPattern)].map(([, label = '']) => label);
}

/** Labels that answer certain questions even if the question does not name the label. */
const labelsByQuestion: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:where|which (?:city|place|state|country))\b|(?<!\p{L})(?:wo|dónde|où|dove|onde|где)(?!\p{L})/iu,
    /\b(?:location|place|address|city|point|destination|ort|adresse|lugar|lieu|luogo|место)\b/iu,
  ],
  [
    new RegExp(
      String.raw`${whenQuestion}|\bwhat (?:date|day|time)\b|(?<!\p{L})(?:wann|cuándo|quand|quando|когда)(?!\p{L})`,
      'iu',
    ),
    /\b(?:date|time|day|datum|zeit|fecha|hora|heure|data|ora|дата|время)\b/iu,
  ],
];

const labelPattern = /(?:^|; )([^:;]{1,40}):/gu;
