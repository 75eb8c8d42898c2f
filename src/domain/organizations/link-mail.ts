import type { Mail } from '../../platform/mail/mailer.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { filterPart } from '../output-filter/filter-part.ts';

interface LinkMail {
  readonly to: string;
  readonly subject: string;
  readonly reason: string;
  readonly action: string;
  readonly link: string;
  readonly notes: readonly string[];
}

/** Returns an e-mail with one link, as plain text and as HTML. */
export function linkMail({ to, subject, reason, action, link, notes }: LinkMail): Mail {
  return {
    to,
    subject,
    text: `${reason}\n\n${action}:\n${link}\n\n${notes.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>${escapeHtml(reason)}</p>
<p><a href="${escapeHtml(link)}">${action}</a></p>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
</body></html>`,
  };
}

const maxNameLength = 100;

/**
 * Returns the name on one line, shortened and without addresses. Otherwise a name could contain a message to the
 * recipient. `fallback` replaces an empty name.
 */
export function toPlainName(name: string, fallback: string): string {
  const line = filterPart(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]/gu, ' '), [])
    .replace(/(?<=\S)\/(?=\S)/g, ' / ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return fallback;
  return line.length <= maxNameLength
    ? line
    : `${line.slice(0, maxNameLength).toWellFormed().trimEnd()}…`;
}
