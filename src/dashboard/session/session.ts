/** An operator who is signed in. */
export interface Session {
  /** A token that is valid for a while yet. Throws `SignedOut` where the session has ended. */
  token(): Promise<string>;
  /** Another token, after the service has refused the last one. Throws `SignedOut`. */
  renewedToken(): Promise<string>;
  /** Ends the session for good. */
  end(): Promise<void>;
}

/** The session is over: there is nothing but to sign in again. */
export class SignedOut extends Error {
  constructor() {
    super('The session has ended');
    this.name = 'SignedOut';
  }
}
