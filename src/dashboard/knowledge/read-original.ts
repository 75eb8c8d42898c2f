import { download } from '../session/download.ts';
import type { Session } from '../session/session.ts';

interface DocumentRef {
  readonly projectId: string;
  readonly documentId: string;
}

/** Returns the original of a document. Throws an Error with a message for the operator. */
export function readOriginal(session: Session, document: DocumentRef): Promise<Blob> {
  return download(session, `/dashboard/original?${new URLSearchParams({ ...document })}`);
}
