import type { Session } from '../session/session.ts';
import { rejectionMessageOf } from './uploads/upload-file.ts';

interface DocumentRef {
  readonly projectId: string;
  readonly documentId: string;
}

/** Returns the original of a document. Renews a rejected token once. Throws an Error with a message for the operator. */
export async function readOriginal(session: Session, document: DocumentRef): Promise<Blob> {
  const first = await request(await session.getToken(), document);
  const response =
    first.status === 401 ? await request(await session.renewToken(), document) : first;
  if (response.ok) return response.blob();
  throw new Error(rejectionMessageOf(await response.json().catch(() => null)));
}

async function request(token: string, document: DocumentRef): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  try {
    return await fetch(`/dashboard/original?${new URLSearchParams({ ...document })}`, { headers });
  } catch {
    throw new Error(rejectionMessageOf(null));
  }
}

/** Saves a file on the operator's device. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
