/** An e-mail to one person. */
export interface Mail {
  /** A single address, such as `ada@example.com`. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** HTML version of the same message. */
  readonly html: string;
}

/** Sends e-mails through the mail server of the installation. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the message.
   * @throws Error when the server refuses it, cannot be reached, or does not answer within 10 seconds
   */
  send(mail: Mail): Promise<void>;
}
