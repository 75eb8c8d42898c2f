import { earlierMessage } from '../../text/earlier-message.ts';
import { addHtmlBlock } from '../html/html-text.ts';
import { type BlockSink, hasContent } from '../text-builder.ts';
import { addPlainText } from '../text-formats/txt.ts';
import type { MailPiece } from './mail-piece.ts';
import { isMessage, type MailMessage } from './mail-thread.ts';
import { splitSignature } from './signature.ts';

/** The texts of a file's messages that were added. Quotations of them are left out. */
export interface AddedMail {
  /** Letters of the paragraphs. */
  readonly texts: Set<string>;
  readonly notices: MailPiece[];
}

/** Remembers what the sender of a message wrote, so that other messages of the file do not repeat it. */
export function rememberMessage(message: MailMessage, added: AddedMail): void {
  for (const piece of splitSignature(ownPieces(message)).body) added.texts.add(lettersOf(piece));
}

/**
 * Adds what the sender wrote, then the signature, then the quoted messages, each with a title. If the sender wrote
 * below several quotations, these stay in order.
 */
export function addMailThread(
  sink: BlockSink,
  message: MailMessage,
  { sender, level, added }: { sender: string; level: number; added: AddedMail },
): void {
  const { body, signature, notices } = splitSignature(ownPieces(message));
  if (isInterleaved(message, body)) addInOrder(sink, message, new Set(body), sender);
  else addPieces(sink, body);
  addSignature(sink, signature, { sender, level, added });
  for (const notice of notices) added.notices.push(notice);
  if (isInterleaved(message, body)) return;
  for (const quoted of message.parts) {
    if (isMessage(quoted)) addQuoted(sink, quoted, level, added);
  }
}

/** Adds the notices of all messages of the file once. */
export function addNotices(sink: BlockSink, { notices, texts }: AddedMail, level: number): void {
  const own = notices.filter((notice) => isNew(notice, texts));
  if (own.length === 0) return;
  sink.add('heading', 'Notices', { level });
  addPieces(sink, own);
}

function addQuoted(sink: BlockSink, message: MailMessage, level: number, added: AddedMail): void {
  const { body, signature, notices } = splitSignature(ownPieces(message));
  const letters = body.map(lettersOf).filter((text) => text !== '');
  const isRepeated = letters.length > 0 && letters.every((text) => added.texts.has(text));
  if (!isRepeated && (letters.length > 0 || message.fields !== '')) {
    sink.add('heading', titleOf(message), { level });
    sink.add('paragraph', message.fields);
    if (isInterleaved(message, body)) addInOrder(sink, message, new Set(body), '');
    else addPieces(sink, body);
  }
  for (const text of letters) added.texts.add(text);
  addSignature(sink, signature, { sender: '', level, added });
  for (const notice of notices) added.notices.push(notice);
  if (isInterleaved(message, body)) return;
  for (const quoted of message.parts) {
    if (isMessage(quoted)) addQuoted(sink, quoted, level, added);
  }
}

function titleOf({ title }: MailMessage): string {
  return title === '' ? earlierMessage : `${earlierMessage} (${title})`;
}

function addSignature(
  sink: BlockSink,
  signature: readonly MailPiece[],
  { sender, level, added }: { sender: string; level: number; added: AddedMail },
): void {
  const own = signature.filter((piece) => hasContent(piece.text) && isNew(piece, added.texts));
  if (own.length === 0) return;
  sink.add('heading', sender === '' ? 'Signature' : `Signature of ${sender}`, { level });
  addPieces(sink, own);
}

function isNew(piece: MailPiece, texts: Set<string>): boolean {
  const letters = lettersOf(piece);
  if (texts.has(letters)) return false;
  texts.add(letters);
  return true;
}

/** Maximum length of a quoted question that stays above its answer. */
const maxQuestionLength = 400;

/** Whether the sender answered below parts of the quoted message, and not only above or below all of it. */
function isInterleaved({ parts }: MailMessage, body: readonly MailPiece[]): boolean {
  const own = new Set<unknown>(body.filter(({ text }) => hasContent(text)));
  const lastOwn = parts.findLastIndex((part) => own.has(part));
  const above = parts.slice(0, Math.max(0, lastOwn)).filter(isMessage);
  const [only] = above;
  if (above.length !== 1 || only === undefined) return above.length > 1;
  const length = only.parts.reduce(
    (sum, part) => sum + (isMessage(part) ? maxQuestionLength : part.text.length),
    0,
  );
  return length < maxQuestionLength && only.parts.length <= 2;
}

/** Adds quotations and answers in the order of the message. Each quotation has the paragraph of its title above it. */
function addInOrder(
  sink: BlockSink,
  { parts }: MailMessage,
  body: ReadonlySet<MailPiece>,
  sender: string,
): void {
  let run: MailPiece[] = [];
  let isAnswer = false;
  const flush = () => {
    if (isAnswer && run.length > 0) sink.add('paragraph', sender === '' ? 'Reply:' : `${sender}:`);
    addPieces(sink, run);
    run = [];
  };
  for (const part of parts) {
    if (!isMessage(part)) {
      if (body.has(part)) run.push(part);
      continue;
    }
    flush();
    isAnswer = true;
    sink.add('paragraph', `${titleOf(part)}:`);
    sink.add('paragraph', part.fields);
    addInOrder(sink, part, new Set(ownPieces(part)), '');
  }
  flush();
}

function addPieces(sink: BlockSink, pieces: readonly MailPiece[]): void {
  let text: string[] = [];
  const flush = () => {
    if (text.length > 0) addPlainText(sink, text.join(''));
    text = [];
  };
  for (const piece of pieces) {
    if (piece.block !== null) {
      flush();
      addHtmlBlock(sink, piece.block);
    } else text.push(piece.continues ? '\n' : '\n\n', piece.text);
  }
  flush();
}

function ownPieces({ parts }: MailMessage): MailPiece[] {
  return parts.filter((part): part is MailPiece => !isMessage(part));
}

function lettersOf({ text }: MailPiece): string {
  return text.replace(/[^\p{L}\p{N}\p{S}]+/gu, '').toLowerCase();
}
