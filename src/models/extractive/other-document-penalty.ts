import { contentTerms } from '../../text/terms.ts';

/**
 * Returns a function that computes a penalty for the texts of a document. There is a penalty if another document's name
 * contains more words of the question. In a question about "Plan Standard", texts of the document "Plan Plus" are about
 * another subject, even if their sentences are the same as in "Plan Standard".
 */
export function otherDocumentPenalty(
  question: string,
  documents: Iterable<string>,
): (document: string) => number {
  const asked = new Set(contentTerms(question));
  const counts = new Map<string, number>();
  for (const name of new Set(documents)) {
    const words = name.replace(/_/g, ' ');
    counts.set(name, new Set(contentTerms(words).filter((term) => asked.has(term))).size);
  }
  const most = Math.max(0, ...counts.values());
  return (document) => ((counts.get(document) ?? 0) < most ? penalty : 0);
}

const penalty = 0.1;
