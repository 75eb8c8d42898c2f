import type { MailSettings } from '../platform/mail/smtp-mailer.ts';

interface MailVariables {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}

/** Returns the mail server, or null for none. */
export function mailSettings({ SMTP_URL, MAIL_FROM }: MailVariables): MailSettings | null {
  if (!SMTP_URL || !MAIL_FROM) return null;
  return Object.freeze({ smtpUrl: SMTP_URL, from: MAIL_FROM });
}

/** Finds settings for e-mails that are valid individually but not in combination. */
export function findMailProblems({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: MailVariables): string[] {
  if ((SMTP_URL === undefined) !== (MAIL_FROM === undefined)) {
    return ['SMTP_URL and MAIL_FROM belong together: the mail server, and the sender'];
  }
  if (SMTP_URL === undefined || PUBLIC_URL !== undefined) return [];
  return [
    'PUBLIC_URL is not set: with SMTP_URL it must be the address of the service, for links in e-mails',
  ];
}
