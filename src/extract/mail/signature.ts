import { hasContent } from '../text-builder.ts';
import type { MailPiece } from './mail-piece.ts';

/** Text that one person wrote in a message, without the messages that it quotes. */
export interface SignedText {
  readonly body: readonly MailPiece[];
  readonly signature: readonly MailPiece[];
  /** Texts about confidentiality, viruses and printing, which companies add to each e-mail. */
  readonly notices: readonly MailPiece[];
}

/** Whether the line separates a signature (RFC 3676, section 4.3). Programs remove the space at its end. */
export function isSignatureDelimiter(line: string): boolean {
  return /^--\s?$/.test(line.slice(0, 4));
}

/** Separates the signature and the notices of a message from its body. */
export function splitSignature(pieces: readonly MailPiece[]): SignedText {
  const start = signatureStart(pieces);
  const isNotice = (piece: MailPiece, at: number) =>
    at >= Math.min(start, pieces.length - maxNotices) && noticeWords.test(shortText(piece));
  const isOwn = (piece: MailPiece, at: number) => at < start && !piece.isSignature;
  return {
    body: pieces.filter((piece, at) => isOwn(piece, at) && !isNotice(piece, at)),
    signature: pieces.filter((piece, at) => !isOwn(piece, at) && !isNotice(piece, at)),
    notices: pieces.filter(isNotice),
  };
}

/** A signature without a delimiter has at most this many paragraphs and lines, and a message ends with few notices. */
const maxSignature = 5;
const maxSignatureLines = 12;
const maxNotices = 4;

/** Returns the index of the first piece of the signature: after a delimiter, or of a closing such as `Kind regards`. */
function signatureStart(pieces: readonly MailPiece[]): number {
  const delimiter = pieces.findIndex(({ text }) => isSignatureDelimiter(text));
  if (delimiter >= 0) return delimiter;
  const written = pieces.filter(({ text }) => hasContent(text));
  const last = written.slice(-maxSignature - maxNotices);
  const first = last.find(
    (piece) =>
      piece !== written[0] &&
      (closing.test(shortText(piece)) || (phone.test(shortText(piece)) && linesOf(piece) <= 8)),
  );
  if (first === undefined) return pieces.length;
  const start = pieces.indexOf(first);
  const signed = pieces.slice(start).filter((piece) => !noticeWords.test(shortText(piece)));
  const lineCount = signed.reduce((sum, piece) => sum + linesOf(piece), 0);
  return lineCount > maxSignatureLines ? pieces.length : start;
}

function linesOf({ text }: MailPiece): number {
  return text.split('\n').length;
}

function shortText({ text }: MailPiece): string {
  return text.slice(0, 4_000).replace(/\s+/g, ' ').trim();
}

const closing =
  /^(?:(?:with )?(?:kind|best|warm|many) (?:regards|wishes)|(?:best )?regards|yours (?:sincerely|faithfully|truly)|sincerely|cheers|mit (?:freundlichen|besten|herzlichen) grüßen|(?:viele|liebe|beste|herzliche|schöne|freundliche) grüße|mfg|cordialement|bien (?:à vous|cordialement)|salutations|(?:un |atentos )?saludos?|atentamente|cordiali saluti|distinti saluti|met vriendelijke groet(?:en)?|atenciosamente|med vänliga hälsningar|med venlig hilsen|z poważaniem)(?:[,.! ]|$)/i;
const phone =
  /^(?:.{1,200}\s)?(?:tel|phone|telephone|mobile|mob|fon|telefon|mobil|fax|tél|telefono|teléfono)\.?:? ?[+(0]/i;
const noticeWords =
  /\b(?:intended recipients?|(?:is|are|be) confidential|legally privileged|viruses|before printing|received this (?:e-?mail|message) in error|vertrauliche informationen|nicht der (?:richtige|beabsichtigte) (?:adressat|empfänger)|irrtümlich erhalten|destinataire|confidentiel|destinatario|confidencial|riservatezza|vertrouwelijk)\b/i;
