import { GroundedChatError } from './errors.ts';

/**
 * Returns the address of the API, which ends with `/api/v1`. `baseUrl` may end with it. No error quotes an argument,
 * because callers may have confused the address and the key.
 * @throws GroundedChatError if it is not an address
 */
export function apiUrlOf(baseUrl: string | undefined): string {
  if (baseUrl === undefined || baseUrl === null) {
    throw new GroundedChatError(
      '`baseUrl` is missing: pass the address of the service, such as https://chat.example.com',
    );
  }
  if (!isRelative(baseUrl) && !isWebAddress(baseUrl)) {
    throw new GroundedChatError(
      '`baseUrl` must be an address such as https://chat.example.com, without a user, a query or a fragment',
    );
  }
  return `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
}

/** Whether the address is a path on the site of the page, in a browser. */
function isRelative(baseUrl: string): boolean {
  return baseUrl === '' || /^\/(?!\/)[^?#\s]*$/.test(baseUrl);
}

function isWebAddress(baseUrl: string): boolean {
  try {
    const { protocol, username, password, search, hash } = new URL(baseUrl);
    return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  } catch {
    return false;
  }
}

/** @throws GroundedChatError if the key cannot be in a header: the error of `fetch` would quote it */
export function requireKey(apiKey: string | undefined): void {
  if (apiKey === undefined || /^[\x21-\x7e]*$/.test(apiKey)) return;
  throw new GroundedChatError('`apiKey` must be one line of letters, digits and signs');
}

/** Returns whether an error, or its cause, contains the text in a place that logs show. */
export function containsText(error: unknown, text: string): boolean {
  if (!(error instanceof Error)) return String(error).includes(text);
  const shown = [error.message, error.stack, ...Object.values(error)];
  return (
    shown.some((value) => typeof value === 'string' && value.includes(text)) ||
    (error.cause !== undefined && containsText(error.cause, text))
  );
}
