/** The session of a signed-in operator. */
export interface Session {
  /**
   * Returns a valid token.
   *
   * @throws SignedOutError when the session has ended.
   */
  getToken(): Promise<string>;
  /** Whether the last token expires soon. Always false if the session renews its tokens by itself. */
  needsRenewal(): boolean;
  /**
   * Returns a new token. Call it when the service has rejected the previous token.
   *
   * @throws SignedOutError when the session has ended.
   */
  renewToken(): Promise<string>;
  /**
   * Revokes the session.
   *
   * @throws Error when the service did not confirm the revocation.
   */
  signOut(): Promise<void>;
  /** All sessions of the operator. Null if the service does not manage the sessions, as with Supabase Auth. */
  readonly list: SessionList | null;
}

/**
 * The sessions of the operator on all devices. The functions reject with a `CombinedError` when the service does not
 * respond, and with a `SignedOutError` when this session has ended.
 */
export interface SessionList {
  /** Returns the sessions, latest first. */
  load(): Promise<readonly ListedSession[]>;
  end(id: string): Promise<void>;
  /** Ends all sessions, including this one. */
  endAll(): Promise<void>;
}

export interface ListedSession {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string;
  readonly userAgent: string;
  readonly isCurrent: boolean;
}

/** The session has ended. The operator must sign in again. */
export class SignedOutError extends Error {
  constructor() {
    super('The session has ended');
    this.name = 'SignedOutError';
  }
}

/** Returns a session that also calls `onEnd` when a token request shows that the session has ended. */
export function withEndCallback(session: Session, onEnd: () => void): Session {
  const reportEnd = async <Result>(request: Promise<Result>): Promise<Result> => {
    try {
      return await request;
    } catch (error) {
      if (error instanceof SignedOutError) onEnd();
      throw error;
    }
  };
  return {
    getToken: () => reportEnd(session.getToken()),
    needsRenewal: () => session.needsRenewal(),
    renewToken: () => reportEnd(session.renewToken()),
    signOut: () => session.signOut(),
    list: session.list && withReportedEnd(session.list, reportEnd),
  };
}

function withReportedEnd(
  list: SessionList,
  reportEnd: <Result>(request: Promise<Result>) => Promise<Result>,
): SessionList {
  return {
    load: () => reportEnd(list.load()),
    end: (id) => reportEnd(list.end(id)),
    endAll: () => reportEnd(list.endAll()),
  };
}
