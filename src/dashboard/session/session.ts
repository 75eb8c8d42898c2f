/** The session of a signed-in operator. */
export interface Session {
  /**
   * Returns a valid token.
   *
   * @throws SignedOutError when the session has ended.
   */
  getToken(): Promise<string>;
  /** Whether the last token expires soon. False if the session renews its tokens by itself. */
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
  };
}
