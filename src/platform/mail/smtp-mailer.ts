import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from './mailer.ts';

export interface MailSettings {
  /**
   * `smtp://user:password@host:587`, or `smtps://` for a connection that starts with TLS. Query parameters are passed
   * to Nodemailer as options.
   */
  readonly smtpUrl: string;
  /** The sender, such as `Help desk <chat@example.com>`. */
  readonly from: string;
}

const timeoutMs = 10_000;

/**
 * Creates a mailer that opens a new connection for each message. A password is sent only over TLS, unless the URL sets
 * `requireTLS=false`.
 */
export function createSmtpMailer(
  { smtpUrl, from }: MailSettings,
  limits: { readonly timeoutMs: number } = { timeoutMs },
): Mailer {
  return {
    async send({ to, ...content }: Mail): Promise<void> {
      const transport = createTransport({
        url: withRequiredTls(smtpUrl),
        connectionTimeout: limits.timeoutMs,
        greetingTimeout: limits.timeoutMs,
        socketTimeout: limits.timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      // The address is passed as an object, because Nodemailer parses a string as a list of recipients.
      const sending = transport.sendMail({ from, to: { name: '', address: to }, ...content });
      await withDeadline(sending, limits.timeoutMs);
    },
  };
}

function withRequiredTls(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  if (url.protocol === 'smtp:' && url.password !== '' && !url.searchParams.has('requireTLS')) {
    url.searchParams.set('requireTLS', 'true');
  }
  return url.href;
}

/** Limits the total time of sending a message. The timeouts of the connection apply only to its single steps. */
async function withDeadline(sending: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const late = () => reject(new Error(`The mail server did not answer within ${limitMs} ms`));
    timer = setTimeout(late, limitMs);
  });
  try {
    await Promise.race([sending, deadline]);
  } finally {
    clearTimeout(timer);
    sending.catch(() => {});
  }
}
