import { continueLinkSession, startLinkSession } from './link-session.ts';
import type { Session } from './session.ts';

/** How this service lets operators in: with links of its own, or through Supabase Auth. */
export type SignInMethod =
  | { readonly type: 'link' }
  | {
      readonly type: 'supabase';
      withPassword(email: string, password: string): Promise<Session>;
      sendLink(email: string): Promise<void>;
    };

export interface Opened {
  readonly method: SignInMethod;
  /** Null where nobody is signed in. */
  readonly session: Session | null;
  /** Whether the page was opened by a sign-in link that no longer works. */
  readonly isLinkStale: boolean;
}

/** Goes on with the browser's session, or starts one with the link the page was opened by. */
export async function openSession(): Promise<Opened> {
  const response = await fetch('/dashboard/sign-in.json');
  if (!response.ok) throw new Error('The service does not answer');
  const settings: SignInSettings = await response.json();
  if (settings.type === 'supabase') {
    const { supabaseSignIn } = await import('./supabase-session.ts');
    const { continueSession, ...methods } = supabaseSignIn(settings);
    const method = { type: 'supabase', ...methods } as const;
    return { method, session: await continueSession(), isLinkStale: false };
  }
  const method = { type: 'link' } as const;
  const secret = takeLinkSecret();
  const started = secret === null ? null : await startLinkSession(secret);
  const session = started ?? (await continueLinkSession());
  return { method, session, isLinkStale: secret !== null && session === null };
}

/** As `GET /dashboard/sign-in.json` tells. */
type SignInSettings =
  | { readonly type: 'link' }
  | { readonly type: 'supabase'; readonly url: string; readonly publishableKey: string };

/** Behind `#`, so that it stands in no log; taken out of the address, so that it is not shared by mistake. */
function takeLinkSecret(): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get('sign-in');
  if (secret !== null) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}
