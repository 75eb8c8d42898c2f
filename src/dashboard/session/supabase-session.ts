import { AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js';
import { type Session, SignedOutError } from './session.ts';
import { notifyOtherTabs } from './session-broadcast.ts';

export interface SupabaseSettings {
  readonly url: string;
  readonly publishableKey: string;
}

/** Sign-in through Supabase Auth. Supabase's client stores and renews the session. */
export function createSupabaseSignIn({ url, publishableKey }: SupabaseSettings) {
  const linkCallback = readLinkCallback();
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey: 'grounded-chat-session',
    flowType: 'pkce',
  });
  const session: Session = {
    getToken: async () => accessTokenOf(await auth.getSession()),
    needsRenewal: () => false,
    renewToken: async () => accessTokenOf(await auth.refreshSession()),
    signOut: async () => {
      const { error } = await auth.signOut({ scope: 'local' });
      if (error !== null) throw error;
      notifyOtherTabs();
    },
    list: null,
  };
  return {
    async resumeSession(): Promise<{ session: Session | null; linkFailure: string | null }> {
      // If the page was opened by a sign-in link, this call exchanges its one-time code.
      const { error: linkError } = await auth.initialize();
      if (linkCallback.isFromSignInLink) clearLinkCallback();
      const { data, error } = await auth.getSession();
      if (error !== null && isAuthRetryableFetchError(error)) throw unreachableError();
      if (data.session === null) {
        const linkFailure = linkCallback.isFromSignInLink
          ? (linkCallback.failure ?? linkError?.message ?? otherBrowserMessage)
          : null;
        return { session: null, linkFailure };
      }
      if (linkCallback.isFromSignInLink) notifyOtherTabs();
      return { session, linkFailure: null };
    },
    async withPassword(email: string, password: string): Promise<Session> {
      const { error } = await auth.signInWithPassword({ email, password });
      if (error !== null) throw isAuthRetryableFetchError(error) ? unreachableError() : error;
      notifyOtherTabs();
      return session;
    },
    async sendLink(email: string): Promise<void> {
      const { error } = await auth.signInWithOtp({
        email,
        options: { emailRedirectTo: `${location.origin}/dashboard/`, shouldCreateUser: false },
      });
      if (error !== null) throw isAuthRetryableFetchError(error) ? unreachableError() : error;
    },
  };
}

interface SessionResponse {
  readonly data: { readonly session: { readonly access_token: string } | null };
  readonly error: Error | null;
}

/** Returns the access token. A network error does not end the session. */
function accessTokenOf({ data, error }: SessionResponse): string {
  if (data.session !== null) return data.session.access_token;
  throw error !== null && isAuthRetryableFetchError(error)
    ? unreachableError()
    : new SignedOutError();
}

function unreachableError(): Error {
  return new Error('Supabase Auth cannot be reached. Try again in a moment');
}

const otherBrowserMessage =
  'Open the link in the browser that requested it, or request a new link here.';

/** Reads the parameters that Supabase Auth adds to the URL when it redirects from a sign-in link. */
function readLinkCallback() {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) params.set(name, value);
  const isFailed = params.has('error') || params.has('error_code');
  const isByLink = params.has('code') || isFailed;
  return { isFromSignInLink: isByLink, failure: isFailed ? params.get('error_description') : null };
}

/** Removes the parameters from the URL, so that a reload does not use them again. */
function clearLinkCallback(): void {
  history.replaceState(null, '', location.pathname);
}
