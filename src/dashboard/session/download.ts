import type { Session } from './session.ts';

/**
 * Downloads a file from the service. If the service rejects the token, renews it once.
 * @throws Error with a message for the operator
 */
export async function download(
  session: Session,
  path: string,
  options: RequestInit = {},
): Promise<Blob> {
  const first = await request(await session.getToken(), path, options);
  const response =
    first.status === 401 ? await request(await session.renewToken(), path, options) : first;
  if (!response.ok) throw new Error(rejectionMessageOf(await response.json().catch(() => null)));
  try {
    return await response.blob();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Error('The connection was lost. Try again.');
  }
}

async function request(token: string, path: string, options: RequestInit): Promise<Response> {
  const headers = { ...options.headers, Authorization: `Bearer ${token}` };
  try {
    return await fetch(path, { ...options, headers });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Error(rejectionMessageOf(null));
  }
}

/**
 * Returns the error message in the JSON body of a response with an error status. `body` is null if it cannot be read.
 */
export function rejectionMessageOf(
  body: { readonly message?: string | readonly string[] } | null,
): string {
  return [body?.message ?? 'The service is not responding'].flat().join('. ');
}

/** Saves a file on the operator's device. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoke the URL later, because the browser reads the content only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
