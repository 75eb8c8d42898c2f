import { rejectionMessageOf } from '../../session/download.ts';
import type { Session } from '../../session/session.ts';

/** The result of an upload. */
export type UploadOutcome =
  | { readonly isStored: true }
  | {
      readonly isStored: false;
      /** HTTP status. 0 if there was no response. */
      readonly status: number;
      readonly message: string;
    };

interface UploadRequest {
  readonly projectId: string;
  /** The document whose content the file replaces. Default: the file becomes a new document. */
  readonly documentId?: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Receives the share of the bytes that was sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Uploads one file. If the service rejects the token, renews it once. Never throws. */
export async function uploadFile(session: Session, request: UploadRequest): Promise<UploadOutcome> {
  try {
    const outcome = await sendFile(await session.getToken(), request);
    if (outcome.isStored || outcome.status !== 401) return outcome;
    return await sendFile(await session.renewToken(), request);
  } catch {
    return uploadFailure(0, 'You are signed out. Sign in again and retry.');
  }
}

/** Uses XMLHttpRequest because fetch reports no upload progress. */
function sendFile(
  token: string,
  { projectId, documentId, file, signal, onProgress }: UploadRequest,
): Promise<UploadOutcome> {
  const form = new FormData();
  form.append('file', file);
  const query = new URLSearchParams({ projectId, ...(documentId !== undefined && { documentId }) });
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    request.open('POST', `/dashboard/upload?${query}`);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const { status, response } = request;
      resolve(
        status === 200 || status === 201
          ? { isStored: true }
          : uploadFailure(status, rejectionMessageOf(response)),
      );
    };
    request.onerror = () =>
      resolve(
        uploadFailure(0, 'The connection was lost, or the file is no longer readable. Try again.'),
      );
    request.onabort = () => resolve(uploadFailure(0, 'Cancelled'));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) resolve(uploadFailure(0, 'Cancelled'));
    else request.send(form);
  });
}

function uploadFailure(status: number, message: string): UploadOutcome {
  return { isStored: false, status, message };
}
