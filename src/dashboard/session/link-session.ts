import { type Session, SignedOut } from './session.ts';
import { tellOtherTabs } from './session-tabs.ts';

interface Token {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Renewed before it runs out, so that no request goes out with a token that ends on its way. */
const marginMs = 60_000;

/** Goes on with the session that the browser holds as a cookie; null where there is none. */
export async function continueLinkSession(): Promise<Session | null> {
  const token = await requestToken('/dashboard/session/token', {});
  return token && createSession(token);
}

/** Uses a sign-in link up; null where it has been used, or is too old. */
export async function startLinkSession(secret: string): Promise<Session | null> {
  const token = await requestToken('/dashboard/session', { secret });
  return token && createSession(token);
}

function createSession(first: Token): Session {
  let current = dated(first);
  let renewing: Promise<string> | null = null;
  const renew = async () => {
    const token = await requestToken('/dashboard/session/token', {});
    if (token === null) throw new SignedOut();
    current = dated(token);
    return current.text;
  };
  const renewedToken = () => {
    renewing ??= renew().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  return {
    token: async () => (current.renewAt > performance.now() ? current.text : renewedToken()),
    renewedToken,
    end: async () => {
      const { ok } = await fetch('/dashboard/session', { method: 'DELETE' });
      if (!ok) throw new Error('The service does not answer');
      tellOtherTabs();
    },
  };
}

function dated({ accessToken, expiresInSeconds }: Token) {
  return { text: accessToken, renewAt: performance.now() + expiresInSeconds * 1_000 - marginMs };
}

async function requestToken(path: string, body: object): Promise<Token | null> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error('The service cannot sign you in at the moment');
  return response.json();
}
