import { continueLinkSession, startLinkSession } from './link-session.ts';
import type { Session } from './session.ts';
import { tellOtherTabs } from './session-tabs.ts';

/** How this service lets operators in: with links of its own, through Supabase Auth, or not at all as it is set up. */
export type SignInMethod =
  | { readonly type: 'link' }
  | { readonly type: 'none' }
  | {
      readonly type: 'supabase';
      withPassword(email: string, password: string): Promise<Session>;
      sendLink(email: string): Promise<void>;
    };

export interface Opened {
  readonly method: SignInMethod;
  /** Null where nobody is signed in. */
  readonly session: Session | null;
  /** Why the link that has opened the page signs nobody in; null where it does, or none has. */
  readonly linkFailure: string | null;
}

/** Goes on with the browser's session, or starts one with the link the page was opened by. */
export async function openSession(): Promise<Opened> {
  const response = await fetch('/dashboard/sign-in.json');
  if (!response.ok) throw new Error('The service does not answer');
  const settings: SignInSettings = await response.json();
  switch (settings.type) {
    case 'link':
      return openLinkSession();
    case 'none':
      return { method: settings, session: null, linkFailure: null };
    case 'supabase': {
      const { supabaseSignIn } = await import('./supabase-session.ts');
      const { continueSession, ...methods } = supabaseSignIn(settings);
      return { method: { type: 'supabase', ...methods }, ...(await continueSession()) };
    }
  }
}

/** As `GET /dashboard/sign-in.json` tells. */
type SignInSettings =
  | { readonly type: 'link' }
  | { readonly type: 'none' }
  | { readonly type: 'supabase'; readonly url: string; readonly publishableKey: string };

async function openLinkSession(): Promise<Opened> {
  const secret = takeLinkSecret();
  const started = secret === null ? null : await startLinkSession(secret);
  if (started !== null) tellOtherTabs();
  const session = started ?? (await continueLinkSession());
  const isStale = secret !== null && session === null;
  const linkFailure = isStale
    ? 'It has been used, or is older than a day. Make another as told below.'
    : null;
  return { method: { type: 'link' }, session, linkFailure };
}

/** Behind `#`, so that it stands in no log; taken out of the address, so that it is not shared by mistake. */
function takeLinkSecret(): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get('sign-in');
  if (secret !== null) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}
