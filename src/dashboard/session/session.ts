/** An operator who is signed in. */
export interface Session {
  /** A token that is valid for a while yet. Throws `SignedOut` where the session has ended. */
  token(): Promise<string>;
  /** Another token, after the service has refused the last one. Throws `SignedOut`. */
  renewedToken(): Promise<string>;
  /** Ends the session for good. Throws where the service could not be told. */
  end(): Promise<void>;
}

/** The session is over: there is nothing but to sign in again. */
export class SignedOut extends Error {
  constructor() {
    super('The session has ended');
    this.name = 'SignedOut';
  }
}

/** The same session, which tells when it turns out to have ended. */
export function watchSession(session: Session, onEnd: () => void): Session {
  const told = async <Result>(answer: Promise<Result>): Promise<Result> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof SignedOut) onEnd();
      throw error;
    }
  };
  return {
    token: () => told(session.token()),
    renewedToken: () => told(session.renewedToken()),
    end: () => session.end(),
  };
}
