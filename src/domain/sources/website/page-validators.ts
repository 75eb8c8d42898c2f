import type { WebResponse } from '../../../platform/web/web-client.ts';
import type { KnownPage } from '../source-pages.ts';

type Validators = Pick<KnownPage, 'etag' | 'lastModified'>;

/** Without an ETag and a date, the next run reads the page again. */
export const noValidators: Validators = { etag: null, lastModified: null };

/** Returns what a later request sends, so that the server answers only if the page has changed. */
export function validatorsOf({ headers }: WebResponse): Validators {
  return { etag: storable(headers.etag), lastModified: storable(headers['last-modified']) };
}

/** Returns the headers that request the page only if it has changed. */
export function conditionalHeaders(known: KnownPage | null): Record<string, string> {
  if (known === null || (known.externalId !== null && !known.hasDocument)) return {};
  // An earlier version of this service has stored the page without the key of its text.
  if (known.externalId !== null && known.textKey === null) return {};
  return {
    ...(known.etag !== null && { 'if-none-match': known.etag }),
    ...(known.lastModified !== null && { 'if-modified-since': known.lastModified }),
  };
}

function storable(value: string | undefined): string | null {
  return value !== undefined && value.length <= 500 && /^[\x20-\x7e]+$/.test(value) ? value : null;
}
