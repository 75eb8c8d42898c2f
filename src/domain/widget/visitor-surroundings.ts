import { isDeepStrictEqual } from 'node:util';
import type { VisitorCaller } from '../caller.ts';
import type { Context } from '../context.ts';
import { ownConversations } from './require-visitor.ts';
import type { VisitorAttributes } from './visitor-attributes.ts';

/** What the widget says of the page and the browser in which a message was written. Not verified. */
export interface Surroundings {
  /** Address of the page. */
  readonly page?: string | null;
  /** Name of the time zone in the IANA database, such as `Europe/Berlin`. */
  readonly timeZone?: string | null;
  /** What the website says of the visitor. Null if the message says nothing. */
  readonly attributes: VisitorAttributes | null;
}

const maxUserAgentLength = 300;

const columns = {
  visitorPage: true,
  visitorBrowser: true,
  visitorTimeZone: true,
  visitorAttributes: true,
} as const;

/**
 * Stores page, browser, time zone and attributes of the visitor's latest message, if one of them has changed. A page of
 * the website that has switched off the first three sends no address: they then stay as they are. Attributes stay if
 * the message has none.
 */
export async function storeSurroundings(
  { db, origin }: Pick<Context, 'db' | 'origin'>,
  visitor: VisitorCaller,
  conversationId: string,
  { page, timeZone, attributes }: Surroundings,
): Promise<void> {
  const visitorPage = publicPartOf(page);
  const data = {
    ...(visitorPage !== null && {
      visitorPage,
      visitorBrowser: origin.userAgent?.slice(0, maxUserAgentLength) ?? null,
      visitorTimeZone: knownTimeZone(timeZone),
    }),
    ...(attributes !== null && { visitorAttributes: attributes }),
  };
  if (Object.keys(data).length === 0) return;
  const where = { id: conversationId, ...ownConversations(visitor) };
  const stored = await db.conversation.findFirst({ where, select: columns });
  // Each update wakes everybody who watches the conversation.
  if (stored === null || isDeepStrictEqual({ ...stored, ...data }, { ...stored })) return;
  await db.conversation.updateMany({ where, data });
}

/** Returns a web address without query and fragment, which may contain secrets. Returns null if it is not one. */
function publicPartOf(page: string | null | undefined): string | null {
  const url = page == null ? null : URL.parse(page);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`;
}

function knownTimeZone(timeZone: string | null | undefined): string | null {
  if (timeZone == null) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
