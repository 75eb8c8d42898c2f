import { hasContent } from '../text-builder.ts';
import type { MailPiece } from './mail-piece.ts';
import {
  attributionOf,
  countHeaderLines,
  isQuoteMarker,
  readHeaderLines,
  titleBetweenDashes,
} from './quote-lines.ts';

/** A message and those that it quotes, in the order of the e-mail. */
export interface MailMessage {
  /** Author and time of the message, in the words of the e-mail that quotes it. May be empty. */
  readonly title: string;
  /** The other fields above the quoted message, such as its subject. */
  readonly fields: string;
  readonly parts: (MailPiece | MailMessage)[];
}

interface OpenMessage extends MailMessage {
  readonly depth: number;
  /** Whether the message has no marks of quotation, so that it ends where the text that quotes it ends. */
  readonly isUnmarked: boolean;
}

/** Returns the message of an e-mail with the messages that it quotes. */
export function readThread(pieces: readonly MailPiece[]): MailMessage {
  const root: OpenMessage = { title: '', fields: '', parts: [], depth: 0, isUnmarked: false };
  const open: OpenMessage[] = [root];
  const top = () => open.at(-1) ?? root;
  const start = (depth: number, title: string, fields = '', isUnmarked = false) => {
    const message = { title, fields, parts: [], depth, isUnmarked };
    top().parts.push(message);
    open.push(message);
  };
  /** Starts a message that follows without marks. It also ends the one before it. */
  const startUnmarked = (depth: number, title: string, fields = '') => {
    const last = top();
    // If fields follow a marker, only the fields start a message. So drop the empty message of the marker.
    const isEmpty = last.isUnmarked && last.parts.length === 0 && last.title === '';
    if (last.isUnmarked && last.depth === depth) open.pop();
    if (isEmpty) top().parts.pop();
    start(depth, title, fields, true);
  };
  for (const [at, piece] of pieces.entries()) {
    const { depth, text } = piece;
    while (depth < top().depth) open.pop();
    if (depth > top().depth) start(depth, takeAttribution(top()));
    const lines = text.split('\n');
    const isMarker = isQuoteMarker(text) || isTitleOfFields(text, pieces[at + 1]);
    if (isMarker) startUnmarked(depth, '');
    else if (countHeaderLines(lines) > 0) {
      const { title, rest } = readHeaderLines(lines);
      startUnmarked(depth, title, rest);
    } else if (isIntroduction(piece, pieces, at)) {
      const { parts, title } = top();
      const isFirst = depth > 0 && parts.length === 0 && title === '';
      if (isFirst) replaceTop(open, titleOf(text));
      else startUnmarked(depth, titleOf(text));
    } else top().parts.push(piece);
  }
  return root;
}

/** Whether a line between dashes, in any language, is followed by the fields of a quoted message. */
function isTitleOfFields(text: string, next: MailPiece | undefined): boolean {
  if (next === undefined || titleBetweenDashes(text) === null) return false;
  return countHeaderLines(next.text.split('\n')) > 0;
}

/** Whether the piece introduces a message that follows without further marks. */
function isIntroduction({ text, depth }: MailPiece, pieces: readonly MailPiece[], at: number) {
  const next = pieces[at + 1];
  if (next === undefined || next.depth > depth) return false;
  return attributionOf(text.replaceAll('\n', ' ')) === 'sure';
}

/** Removes the introduction of a quotation from the end of a message, and returns it. */
function takeAttribution({ parts }: MailMessage): string {
  const last = parts.findLast((part) => isMessage(part) || hasContent(part.text));
  if (last === undefined || isMessage(last)) return '';
  if (attributionOf(last.text.replaceAll('\n', ' ')) === 'none') return '';
  parts.splice(parts.lastIndexOf(last), 1);
  return titleOf(last.text);
}

function titleOf(attribution: string): string {
  return attribution
    .replace(/\s+/g, ' ')
    .replace(/(?<=\S) ?<[^<>]*>/g, '')
    .replace(/ ?[:：] ?$/, '')
    .trim();
}

/** Gives the open message its title, which is its first line. */
function replaceTop(open: OpenMessage[], title: string): void {
  const message = open.pop();
  const parent = open.at(-1);
  if (message === undefined || parent === undefined) return;
  const titled = { ...message, title };
  parent.parts[parent.parts.length - 1] = titled;
  open.push(titled);
}

export function isMessage(part: MailPiece | MailMessage): part is MailMessage {
  return 'parts' in part;
}
