import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { cleanLine, cleanText } from '../clean-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { type BlockRange, type HtmlBlock, readHtmlBlocks } from '../html/html-blocks.ts';
import { addHtmlBlock } from '../html/html-text.ts';
import { parseHtml } from '../html/html-tree.ts';
import {
  type AddedMail,
  addMailThread,
  addNotices,
  rememberMessage,
} from '../mail/add-mail-thread.ts';
import { addCalendar, isCalendar } from '../mail/calendar.ts';
import type { MailPiece } from '../mail/mail-piece.ts';
import { htmlPieces, isMailRange, textPieces } from '../mail/mail-pieces.ts';
import { type MailMessage, readThread } from '../mail/mail-thread.ts';
import { createTextBuilder, hasContent, type TextBuilder } from '../text-builder.ts';
import { filesLeftOut } from '../warning-texts.ts';
import { addPlainText } from './txt.ts';

/** Limits for the nesting of parts, and for the size in bytes of the headers of all parts. */
const limits = { maxNestingDepth: 100, maxHeadersSize: 2 * 1024 * 1024 };
/** Maximum nesting of messages that are attached to messages. Deeper ones are left out. */
const maxAttachedDepth = 5;

/**
 * Extracts an email: the subject as heading, then sender, recipients and date, then what the sender wrote, then what it
 * quotes, from new to old. Attached messages and invitations are read; other attachments are named. Reads the HTML
 * body, or the text body if the HTML has no visible text.
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
  const message = await readMessage(email, 0);
  const added: AddedMail = { texts: new Set(), notices: [] };
  rememberMessages(message, added);
  builder.add('heading', subjectOf(email), { level: 1 });
  addMessage(builder, message, 2, added);
  addNotices(builder, added, 2);
  builder.warn('ATTACHED_FILES', attachmentsLeftOut(leftOut(message)));
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
  const { html = '', text = '' } = await parse(bytes);
  const blocks = readHtmlBlocks(parseHtml(html));
  if (!blocks.some(isVisible)) addPlainText(builder, cleanText(text));
  else for (const block of blocks) addHtmlBlock(builder, block);
  return builder.build();
}

/** An e-mail with the messages that are attached to it, the newest first. */
interface ReadMessage {
  readonly email: Email;
  readonly thread: MailMessage;
  readonly attached: readonly ReadMessage[];
  readonly calendars: readonly string[];
  readonly unread: readonly Attachment[];
}

async function readMessage(email: Email, depth: number): Promise<ReadMessage> {
  const attached: ReadMessage[] = [];
  const calendars: string[] = [];
  const unread: Attachment[] = [];
  for (const attachment of email.attachments) {
    if (attachment.mimeType === 'text/calendar' && isCalendar(textOf(attachment))) {
      calendars.push(textOf(attachment));
    } else if (attachment.mimeType === 'message/rfc822' && depth < maxAttachedDepth) {
      const inner = await parse(bytesOf(attachment));
      if (isEncrypted(inner)) unread.push(attachment);
      else attached.push(await readMessage(inner, depth + 1));
    } else unread.push(attachment);
  }
  attached.sort((left, right) => timeOf(right.email) - timeOf(left.email) || 0);
  return { email, thread: readThread(bodyPieces(email)), attached, calendars, unread };
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

function textOf(attachment: Attachment): string {
  return cleanText(new TextDecoder().decode(bytesOf(attachment)));
}

function timeOf({ date = '' }: Email): number {
  const time = Date.parse(date);
  return Number.isNaN(time) ? 0 : time;
}

function bodyPieces({ html = '', text = '' }: Email): MailPiece[] {
  const ranges: BlockRange[] = [];
  const blocks = readHtmlBlocks(parseHtml(html), {
    matches: isMailRange,
    add: (range) => ranges.push(range),
  });
  return blocks.some(isVisible) ? htmlPieces(blocks, ranges) : textPieces(cleanText(text));
}

function isVisible(block: HtmlBlock): boolean {
  return hasContent(block.kind === 'table-row' ? block.cells.join(' ') : block.text);
}

function rememberMessages({ thread, attached }: ReadMessage, added: AddedMail): void {
  rememberMessage(thread, added);
  for (const message of attached) rememberMessages(message, added);
}

/** Adds a message below its title. `level` is the level of the titles inside it. */
function addMessage(
  builder: TextBuilder,
  { email, thread, attached, calendars }: ReadMessage,
  level: number,
  added: AddedMail,
): void {
  builder.add('paragraph', details(email));
  const sender = cleanLine(email.from?.name || email.from?.address || '');
  addMailThread(builder, thread, { sender, level, added });
  const names = email.attachments.map(({ filename }) => cleanLine(filename ?? '')).filter(Boolean);
  if (names.length > 0) builder.add('paragraph', `Attachments: ${names.join(', ')}`);
  for (const calendar of calendars) addCalendar(builder, calendar, level);
  for (const message of attached) {
    const subject = subjectOf(message.email);
    builder.add('heading', `Attached message${subject && ` – ${subject}`}`, { level });
    addMessage(builder, message, Math.min(6, level + 1), added);
  }
}

/** Returns the subject without the marks of replies and forwarded messages, such as `Re:`. */
function subjectOf({ subject = '' }: Email): string {
  const marks =
    /^(?:(?:re|aw|antw|sv|vs|odp|res|rif|ref|fwd?|wg|tr|rv|enc|i|vb|doorst)(?:\[\d{1,3}\])? ?: ?)+/i;
  return cleanLine(cleanLine(subject).replace(marks, '')) || cleanLine(subject);
}

function leftOut({ unread, attached }: ReadMessage): Attachment[] {
  return [...unread, ...attached.flatMap(leftOut)];
}

/**
 * Returns a warning about attachments that are not read, or null. Ignores pictures in the body, such as logos.
 */
function attachmentsLeftOut(attachments: readonly Attachment[]): string | null {
  const files = attachments.filter(
    ({ related, mimeType }) => related !== true || !mimeType.startsWith('image/'),
  );
  return filesLeftOut(
    'attachment',
    files.map(({ filename, mimeType }) => cleanLine(filename ?? '') || mimeType),
  );
}

const messageHeaders = new Set(['from', 'to', 'date', 'subject', 'message-id', 'received']);

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { ...limits, forceRfc822Attachments: true });
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
