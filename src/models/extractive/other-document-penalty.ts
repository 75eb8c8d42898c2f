import { contentTerms } from '../../text/terms.ts';

/**
 * Returns a function that computes a penalty for texts of a document whose name contains fewer words of the question
 * than another document's name. In a question about "Plan Standard", the documents "Plan Standard" and "Plan Plus" are
 * not the same subject, even if their sentences are.
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
