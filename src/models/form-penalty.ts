import { areAllKnown, contentTerms } from '../text/terms.ts';
import { whenQuestion } from './when-question.ts';

/** Minimum number of "label: value" pairs in a form. */
const minPairs = 3;
const penalty = 0.35;

/**
 * Returns a function that computes a penalty for text of a form, such as "Location: Belen; Aircraft: Sorrell SNJ-7". A
 * question that names none of its labels names its values only to say which document it is about.
 */
export function formPenalty(question: string): (text: string) => number {
  const asked = new Set(contentTerms(question));
  const isAsked = (label: string) => areAllKnown(contentTerms(label), asked);
  const wanted = labelsByQuestion.filter(([questions]) => questions.test(question));
  return (text) => {
    const labels = labelsOf(text);
    if (labels.length < minPairs) return 0;
    const isFound = labels.some(
      (label) => isAsked(label) || wanted.some(([, names]) => names.test(label)),
    );
    return isFound ? 0 : penalty;
  };
}

/** Returns true if a text consists of "label: value" pairs. */
export function isForm(text: string): boolean {
  return labelsOf(text).length >= minPairs;
}

function labelsOf(text: string): string[] {
  return [...text.matchAll(labelPattern)].map(([, label = '']) => label);
}

/** The labels that answer a question without being named in it. */
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
