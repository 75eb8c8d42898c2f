import { CombinedError } from 'urql';
import { fetchWithIdleTimeout, requestTimeoutMs } from '../graphql/fetch-with-timeout.ts';
import { type Session, type SessionList, SignedOutError } from './session.ts';
import { notifyOtherTabs } from './session-broadcast.ts';

interface Token {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** How long before its expiry a token is renewed. Without this margin, a token could expire during a request. */
const renewBeforeExpiryMs = 60_000;

/** Resumes the session from the browser's cookie. Returns null if there is no valid cookie. */
export async function resumeLinkSession(): Promise<Session | null> {
  const token = await requestToken('/dashboard/session/token', {});
  return token && createSession(token);
}

/** Signs in with the secret of a one-time link. Returns null if the link was used or has expired. */
export async function startLinkSession(secret: string): Promise<Session | null> {
  const token = await requestToken('/dashboard/session', { secret });
  return token && createSession(token);
}

/** Requests that a sign-in link is sent to the address. Succeeds for any address. */
export async function requestSignInMail(email: string): Promise<void> {
  const response = await post('/dashboard/session/link', { email });
  if (response.status === 429) throw new Error('Too many requests. Wait a minute and try again.');
  if (!response.ok) throw new Error('The service cannot send you a link at the moment');
}

/** Accepts the invitation of a link. Returns null if the link is not valid. */
export async function startInvitedSession(secret: string): Promise<Session | null> {
  const token = await requestToken('/dashboard/session/invitation', { secret });
  return token && createSession(token);
}

function createSession(first: Token): Session {
  let current = withRenewalTime(first);
  let pendingRenewal: Promise<string> | null = null;
  const needsRenewal = () => current.renewAt <= performance.now();
  const renew = async () => {
    const token = await requestToken('/dashboard/session/token', {});
    if (token === null) throw new SignedOutError();
    current = withRenewalTime(token);
    return current.text;
  };
  const renewToken = () => {
    pendingRenewal ??= renew().finally(() => {
      pendingRenewal = null;
    });
    return pendingRenewal;
  };
  return {
    getToken: async () => (needsRenewal() ? renewToken() : current.text),
    needsRenewal,
    renewToken,
    signOut: async () => {
      await callSessionRoute('', 'DELETE');
      notifyOtherTabs();
    },
    list: sessionList,
  };
}

const sessionList: SessionList = {
  load: async () => (await (await callSessionRoute('/all', 'GET')).json()).sessions,
  end: async (id) => void (await callSessionRoute(`/all/${id}`, 'DELETE')),
  endAll: async () => {
    await callSessionRoute('/all', 'DELETE');
    notifyOtherTabs();
  },
};

const timedFetch = fetchWithIdleTimeout(requestTimeoutMs);

async function callSessionRoute(path: string, method: string): Promise<Response> {
  const response = await timedFetch(`/dashboard/session${path}`, { method }).catch(
    (networkError) => {
      throw new CombinedError({ networkError });
    },
  );
  if (response.status === 401) throw new SignedOutError();
  if (response.ok) return response;
  throw new CombinedError({ networkError: new Error('The service is not responding') });
}

function withRenewalTime({ accessToken, expiresInSeconds }: Token) {
  return {
    text: accessToken,
    renewAt: performance.now() + expiresInSeconds * 1_000 - renewBeforeExpiryMs,
  };
}

function post(path: string, body: object): Promise<Response> {
  return timedFetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function requestToken(path: string, body: object): Promise<Token | null> {
  const response = await post(path, body);
  if (response.status === 401 || response.status === 404) return null;
  if (!response.ok) throw new Error('The service cannot sign you in at the moment');
  return response.json();
}
