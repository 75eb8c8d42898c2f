import { resumeLinkSession, startLinkSession } from './link-session.ts';
import type { Session } from './session.ts';
import { notifyOtherTabs } from './session-broadcast.ts';

/**
 * How operators sign in: with one-time links of the service and an OIDC provider, or through Supabase Auth. `none`:
 * sign-in is not configured.
 */
export type SignInMethod =
  | {
      readonly type: 'link';
      readonly oidc?: OidcButton;
      /** Whether the service sends a sign-in link to the address of an operator. */
      readonly mailsLinks?: boolean;
    }
  | { readonly type: 'none' }
  | {
      readonly type: 'supabase';
      withPassword(email: string, password: string): Promise<Session>;
      sendLink(email: string): Promise<void>;
    };

/** An OIDC provider: its name, and the address at which the sign-in starts. */
export interface OidcButton {
  readonly name: string;
  readonly url: string;
}

export interface SignInState {
  readonly method: SignInMethod;
  /** Null if no operator is signed in. */
  readonly session: Session | null;
  /** Why the sign-in link that opened the page failed. Null if the link worked, or if no link opened the page. */
  readonly linkFailure: string | null;
  /** Failure code of the sign-in with the OIDC provider, from the URL. Null if it did not fail. */
  readonly oidcFailure: string | null;
  /** The secret of the invitation link that opened the page. Null if no such link opened it. */
  readonly invitation: string | null;
}

/** Signs in with the link that opened the page, or resumes the browser's session. */
export async function openSession(): Promise<SignInState> {
  // A link that is opened in a tab of the dashboard changes only the fragment, so the browser loads nothing.
  window.addEventListener('hashchange', () => {
    if (linkSecret('invitation') !== null) location.reload();
  });
  const invitation = takeLinkSecret('invitation');
  const oidcFailure = takeLinkSecret('sign-in-failed');
  return { ...(await openMethod()), invitation, oidcFailure };
}

type MethodState = Omit<SignInState, 'invitation' | 'oidcFailure'>;

async function openMethod(): Promise<MethodState> {
  const response = await fetch('/dashboard/sign-in.json');
  if (!response.ok) throw new Error('The service is not responding');
  const settings: SignInSettings = await response.json();
  switch (settings.type) {
    case 'link':
      return openLinkSession(settings);
    case 'none':
      return { method: settings, session: null, linkFailure: null };
    case 'supabase': {
      const { createSupabaseSignIn } = await import('./supabase-session.ts');
      const { resumeSession, ...methods } = createSupabaseSignIn(settings);
      return { method: { type: 'supabase', ...methods }, ...(await resumeSession()) };
    }
  }
}

/** The response of `GET /dashboard/sign-in.json`. */
type SignInSettings =
  | Extract<SignInMethod, { type: 'link' }>
  | { readonly type: 'none' }
  | { readonly type: 'supabase'; readonly url: string; readonly publishableKey: string };

async function openLinkSession(
  method: Extract<SignInMethod, { type: 'link' }>,
): Promise<MethodState> {
  window.addEventListener('hashchange', () => {
    if (linkSecret('sign-in') !== null) location.reload();
  });
  const secret = takeLinkSecret('sign-in');
  const started = secret === null ? null : await startLinkSession(secret);
  if (started !== null) notifyOtherTabs();
  const session = started ?? (await resumeLinkSession());
  const hasFailed = secret !== null && session === null;
  const linkFailure = hasFailed
    ? 'It was already used, was replaced by a newer link, or is older than a day.'
    : null;
  return { method, session, linkFailure };
}

/**
 * Returns the secret of a link or the code of a failure, and removes it from the URL. The URL contains it in the
 * fragment. Browsers do not send the fragment, so the secret never appears in logs.
 */
function takeLinkSecret(name: LinkName): string | null {
  const secret = linkSecret(name);
  if (secret !== null) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

type LinkName = 'sign-in' | 'sign-in-failed' | 'invitation';

function linkSecret(name: LinkName): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}
