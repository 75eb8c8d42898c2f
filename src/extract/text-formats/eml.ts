import PostalMime, { type Address, type Email } from 'postal-mime';
import { cleanLine, cleanText } from '../clean-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { readHtmlBlocks } from '../html/html-blocks.ts';
import { addHtmlBlock } from '../html/html-text.ts';
import { parseHtml } from '../html/html-tree.ts';
import { createTextBuilder, hasContent, type TextBuilder } from '../text-builder.ts';
import { filesLeftOut } from '../warning-texts.ts';
import { addPlainText } from './txt.ts';

/** Limits for the nesting of parts, and for the size in bytes of the headers of all parts. */
const limits = { maxNestingDepth: 100, maxHeadersSize: 2 * 1024 * 1024, maxRfc822NestingDepth: 5 };

/**
 * Extracts an email: the subject as heading, then sender, recipients and date, then the body, then the names of the
 * attachments. The attachments themselves are not read. Reads the HTML body, or the text body if the HTML has no
 * visible text.
 * @throws ExtractError CORRUPT_FILE when the file is not an email, ENCRYPTED when the body is encrypted, TOO_LARGE when
 * the email exceeds a limit, EMPTY_TEXT when it has no text.
 */
export async function readEml(
  bytes: Uint8Array,
  { textCharacters }: ExtractLimits,
): Promise<ExtractedText> {
  const email = await parse(bytes);
  if (!email.headers.some(({ key }) => messageHeaders.has(key))) {
    throw new ExtractError('CORRUPT_FILE', 'The file contains no email.');
  }
  if (isEncrypted(email)) {
    throw new ExtractError('ENCRYPTED', 'The email is encrypted. Upload it decrypted.');
  }
  const builder = createTextBuilder(textCharacters);
  builder.add('heading', cleanLine(email.subject ?? ''), { level: 1 });
  builder.add('paragraph', details(email));
  addBody(builder, email);
  const names = email.attachments.map(({ filename }) => cleanLine(filename ?? '')).filter(Boolean);
  if (names.length > 0) builder.add('paragraph', `Attachments: ${names.join(', ')}`);
  builder.warn('ATTACHED_FILES', attachmentsLeftOut(email));
  return builder.build();
}

/**
 * Extracts the text of a web page that is stored as MHTML (RFC 2557).
 * @throws ExtractError TOO_LARGE or EMPTY_TEXT.
 */
export async function readMhtml(
  bytes: Uint8Array,
  { textCharacters }: ExtractLimits,
): Promise<ExtractedText> {
  const builder = createTextBuilder(textCharacters);
  addBody(builder, await parse(bytes));
  return builder.build();
}

/**
 * Returns a warning about attachments that are not read, or null. Ignores pictures in the body, such as logos, and
 * forwarded messages, which are read as part of the body.
 */
function attachmentsLeftOut({ attachments }: Email): string | null {
  const files = attachments.filter(
    ({ related, mimeType }) => related !== true || !mimeType.startsWith('image/'),
  );
  return filesLeftOut(
    'attachment',
    files.map(({ filename, mimeType }) => cleanLine(filename ?? '') || mimeType),
  );
}

function addBody(builder: TextBuilder, { html = '', text = '' }: Email): void {
  const blocks = readHtmlBlocks(parseHtml(html));
  const isVisible = blocks.some((block) =>
    hasContent(block.kind === 'table-row' ? block.cells.join(' ') : block.text),
  );
  if (!isVisible) return addPlainText(builder, cleanText(text));
  for (const block of blocks) addHtmlBlock(builder, block);
}

const messageHeaders = new Set(['from', 'to', 'date', 'subject', 'message-id', 'received']);

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, limits);
  } catch (error) {
    throw new ExtractError('TOO_LARGE', 'The email has too many nested parts or headers.', {
      cause: error,
    });
  }
}

/** Whether the message is encrypted with OpenPGP (RFC 3156) or S/MIME (RFC 8551). */
function isEncrypted({ headers }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value.toLowerCase() ?? '';
  if (type.startsWith('multipart/encrypted')) return true;
  return /^application\/(?:x-)?pkcs7-mime/.test(type) && !type.includes('signed-data');
}

function details({ from, to, cc, date }: Email): string {
  const lines = [
    ['From', from === undefined ? '' : addressText(from)],
    ['To', (to ?? []).map(addressText).join(', ')],
    ['Cc', (cc ?? []).map(addressText).join(', ')],
    ['Date', dateText(date ?? '')],
  ];
  return lines.flatMap(([name, text]) => (text ? [`${name}: ${cleanLine(text)}`] : [])).join('\n');
}

function addressText({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressText).join(', ')}`;
  return name === '' ? (address ?? '') : `${name} <${address}>`;
}

/** Returns an ISO 8601 date in the form `2026-03-14 12:00 UTC`. Returns any other text unchanged. */
function dateText(date: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(date) ?? [];
  return day === undefined ? date : `${day} ${time} UTC`;
}
