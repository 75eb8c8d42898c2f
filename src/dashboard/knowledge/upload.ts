import type { Session } from '../session/session.ts';

export interface UploadOutcome {
  readonly isStored: boolean;
  /** Why it was refused; empty where it was not. */
  readonly message: string;
}

/** Sends one file as the body of a request. `onProgress` is told the share that has gone out, 0 to 1. */
export async function uploadFile(
  session: Session,
  {
    projectId,
    file,
    signal,
    onProgress,
  }: {
    readonly projectId: string;
    readonly file: File;
    readonly signal: AbortSignal;
    readonly onProgress: (share: number) => void;
  },
): Promise<UploadOutcome> {
  const token = await session.token();
  const form = new FormData();
  form.append('file', file);
  // fetch tells nothing of what has gone out.
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    request.open('POST', `/dashboard/upload?${new URLSearchParams({ projectId })}`);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      resolve(
        request.status === 201
          ? { isStored: true, message: '' }
          : { isStored: false, message: refusalOf(request.response) },
      );
    request.onerror = () => resolve({ isStored: false, message: 'The connection broke off' });
    request.onabort = () => resolve({ isStored: false, message: 'Cancelled' });
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function refusalOf(body: { readonly message?: string | readonly string[] } | null): string {
  return [body?.message ?? 'The service does not answer'].flat().join('. ');
}
