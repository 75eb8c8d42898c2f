import { AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js';
import { type Session, SignedOut } from './session.ts';
import { tellOtherTabs } from './session-tabs.ts';

export interface SupabaseSettings {
  readonly url: string;
  readonly publishableKey: string;
}

/** Operators of a service with Supabase Auth: sessions are kept and renewed by its own client. */
export function supabaseSignIn({ url, publishableKey }: SupabaseSettings) {
  const returned = returnedFromLink();
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey: 'grounded-chat-session',
    flowType: 'pkce',
  });
  const session: Session = {
    token: async () => tokenOf(await auth.getSession()),
    renewedToken: async () => tokenOf(await auth.refreshSession()),
    end: async () => {
      const { error } = await auth.signOut({ scope: 'local' });
      if (error !== null) throw error;
      tellOtherTabs();
    },
  };
  return {
    async continueSession(): Promise<{ session: Session | null; linkFailure: string | null }> {
      // Uses up the code of a link that has led here.
      const { error: linkError } = await auth.initialize();
      if (returned.isByLink) forgetReturn();
      const { data, error } = await auth.getSession();
      if (error !== null && isAuthRetryableFetchError(error)) throw unreachable();
      if (data.session === null) {
        const linkFailure = returned.isByLink
          ? (returned.failure ?? linkError?.message ?? otherBrowser)
          : null;
        return { session: null, linkFailure };
      }
      if (returned.isByLink) tellOtherTabs();
      return { session, linkFailure: null };
    },
    async withPassword(email: string, password: string): Promise<Session> {
      const { error } = await auth.signInWithPassword({ email, password });
      if (error !== null) throw isAuthRetryableFetchError(error) ? unreachable() : error;
      tellOtherTabs();
      return session;
    },
    async sendLink(email: string): Promise<void> {
      const { error } = await auth.signInWithOtp({
        email,
        options: { emailRedirectTo: `${location.origin}/dashboard/`, shouldCreateUser: false },
      });
      if (error !== null) throw isAuthRetryableFetchError(error) ? unreachable() : error;
    },
  };
}

interface Renewal {
  readonly data: { readonly session: { readonly access_token: string } | null };
  readonly error: Error | null;
}

/** A session that could not be renewed for want of a network has not ended. */
function tokenOf({ data, error }: Renewal): string {
  if (data.session !== null) return data.session.access_token;
  throw error !== null && isAuthRetryableFetchError(error) ? unreachable() : new SignedOut();
}

function unreachable(): Error {
  return new Error('Supabase Auth cannot be reached at the moment');
}

const otherBrowser =
  'Open the link in the browser in which you asked for it, or ask for another one here.';

/** What Supabase Auth says in the address as it sends somebody back from the link in a mail. */
function returnedFromLink() {
  const said = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) said.set(name, value);
  const isFailed = said.has('error') || said.has('error_code');
  const isByLink = said.has('code') || isFailed;
  return { isByLink, failure: isFailed ? said.get('error_description') : null };
}

/** A reload must not try it again. */
function forgetReturn(): void {
  history.replaceState(null, '', location.pathname);
}
