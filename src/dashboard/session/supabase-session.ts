import { AuthClient } from '@supabase/auth-js';
import { type Session, SignedOut } from './session.ts';

export interface SupabaseSettings {
  readonly url: string;
  readonly publishableKey: string;
}

/** Operators of a service with Supabase Auth: sessions are kept and renewed by its own client. */
export function supabaseSignIn({ url, publishableKey }: SupabaseSettings) {
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey: 'grounded-chat-session',
    flowType: 'pkce',
  });
  const session: Session = {
    token: () => tokenOf(auth.getSession()),
    renewedToken: () => tokenOf(auth.refreshSession()),
    end: async () => {
      await auth.signOut({ scope: 'local' });
    },
  };
  return {
    async continueSession(): Promise<Session | null> {
      const { data } = await auth.getSession();
      return data.session === null ? null : session;
    },
    async withPassword(email: string, password: string): Promise<Session> {
      const { error } = await auth.signInWithPassword({ email, password });
      if (error !== null) throw error;
      return session;
    },
    async sendLink(email: string): Promise<void> {
      const { error } = await auth.signInWithOtp({
        email,
        options: { emailRedirectTo: `${location.origin}/dashboard/`, shouldCreateUser: false },
      });
      if (error !== null) throw error;
    },
  };
}

async function tokenOf(
  answer: Promise<{ data: { session: { access_token: string } | null } }>,
): Promise<string> {
  const { session } = (await answer).data;
  if (session === null) throw new SignedOut();
  return session.access_token;
}
