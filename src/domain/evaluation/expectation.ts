import { z } from 'zod';

/** Expected answer of a question in a set. */
export interface Expectation {
  /** Texts that the answer must contain. Each item lists alternatives, of which one is enough. */
  readonly expected: readonly (readonly string[])[];
  /** The document that answers the question. Null: see `documentName`. */
  readonly documentId: string | null;
  /** Name of the documents that answer the question. Used if there is no `documentId`. Null: any document. */
  readonly documentName: string | null;
  /** Whether the documents do not answer the question, so that the assistant must say so. */
  readonly mustRefuse: boolean;
}

const expectedSchema = z.array(z.array(z.string()));

/** Reads the column `expected`. */
export function storedExpectation(
  row: Omit<Expectation, 'expected'> & { readonly expected: unknown },
) {
  const { documentId, documentName, mustRefuse } = row;
  return { expected: expectedSchema.parse(row.expected), documentId, documentName, mustRefuse };
}

/** Whether the question names a document. */
export function namesDocument({ documentId, documentName }: Expectation): boolean {
  return documentId !== null || documentName !== null;
}
