import type { Session } from '../session/session.ts';

/** What became of a file that was sent. */
export type UploadOutcome =
  | { readonly isStored: true }
  | {
      readonly isStored: false;
      /** Of the HTTP answer; 0 where there was none. */
      readonly status: number;
      readonly message: string;
    };

interface UploadRequest {
  readonly projectId: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Is told the share that has gone out, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends one file as the body of a request. A token that is refused is renewed once. Throws nothing. */
export async function uploadFile(session: Session, request: UploadRequest): Promise<UploadOutcome> {
  try {
    const outcome = await send(await session.token(), request);
    if (outcome.isStored || outcome.status !== 401) return outcome;
    return await send(await session.renewedToken(), request);
  } catch {
    return failure(0, 'You are signed out. Sign in again and retry.');
  }
}

/** By XMLHttpRequest, as fetch tells nothing of what has gone out. */
function send(
  token: string,
  { projectId, file, signal, onProgress }: UploadRequest,
): Promise<UploadOutcome> {
  const form = new FormData();
  form.append('file', file);
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    request.open('POST', `/dashboard/upload?${new URLSearchParams({ projectId })}`);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const { status, response } = request;
      resolve(status === 201 ? { isStored: true } : failure(status, refusalOf(response)));
    };
    request.onerror = () =>
      resolve(failure(0, 'The connection broke off, or the file cannot be read any more.'));
    request.onabort = () => resolve(failure(0, 'Cancelled'));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) resolve(failure(0, 'Cancelled'));
    else request.send(form);
  });
}

function failure(status: number, message: string): UploadOutcome {
  return { isStored: false, status, message };
}

function refusalOf(body: { readonly message?: string | readonly string[] } | null): string {
  return [body?.message ?? 'The service does not answer'].flat().join('. ');
}
