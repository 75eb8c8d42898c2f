/** Lines that mail programs write above the text that they quote. */

const sender =
  'from|von|de|da|van|fra|från|od|lähettäjä|feladó|kimden|от|від|από|差出人|发件人|寄件者|보낸 ?사람';
const time =
  'sent|date|gesendet(?: am)?|datum|envoyé(?: le)?|enviado(?: el| em)?|enviada(?: em)?|fecha|data|inviato(?: il)?|verzonden|skickat|sendt|dato|wysłano|odesláno|lähetetty|päivä|elküldve|gönderildi|tarih|отправлено|дата|送信日時|日付|发送时间|日期|寄件日期|보낸 ?날짜|날짜';
const fieldStart = (names: string) => new RegExp(`^[*\\s]{0,4}(?:${names})[*\\s]{0,4}[:：]`, 'iu');
const senderLine = fieldStart(sender);
const timeLine = fieldStart(time);
const innerTime = new RegExp(`\\s\\*{0,2}(?:${time})\\*{0,2} ?[:：]`, 'iu');
const anyField = /^[*\s]{0,4}\p{L}[\p{L} .-]{0,24}[*\s]{0,4}[:：]/u;
const maxFieldLength = 1_000;

/**
 * Returns the number of lines of the fields `From`, `Sent`, `To` and `Subject` at the start of the lines, in any
 * language of common mail programs. Returns 0 if there are none.
 */
export function countHeaderLines(lines: readonly string[]): number {
  const [first = ''] = lines;
  if (!isField(first, senderLine)) return 0;
  const isOneLine = innerTime.test(first.slice(0, maxFieldLength));
  if (!isOneLine && !lines.slice(1, 4).some((line) => isField(line, timeLine))) return 0;
  const end = lines.findIndex(
    (line, index) => index > 0 && (index > 8 || !(isField(line, anyField) || /^\s/.test(line))),
  );
  return end < 0 ? lines.length : end;
}

/** Whether the line is the first of the fields above a quoted message. The others may follow as paragraphs. */
export function isSenderLine(line: string): boolean {
  return isField(line, senderLine);
}

export function isFieldLine(line: string): boolean {
  return isField(line, anyField);
}

function isField(line: string, pattern: RegExp): boolean {
  return pattern.test(line.slice(0, maxFieldLength));
}

/** Returns sender and time from the fields above a quoted message, and the other lines. */
export function readHeaderLines(lines: readonly string[]): { title: string; rest: string } {
  const [first = ''] = lines;
  const inner = innerTime.exec(first.slice(0, maxFieldLength));
  if (inner !== null) return { title: fieldValue(first), rest: '' };
  const when = lines.find((line, index) => index > 0 && isField(line, timeLine)) ?? '';
  const rest = lines.filter((line, index) => index > 0 && line !== when);
  return {
    title: [fieldValue(first), fieldValue(when)].filter(Boolean).join(', '),
    rest: rest.join('\n'),
  };
}

function fieldValue(field: string): string {
  return field
    .slice(field.search(/[:：]/) + 1)
    .replaceAll('*', '')
    .trim();
}

const markerWords =
  /^(?:original (?:message|appointment)|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message (?:d['’]origine|original|transféré)|mensaje (?:original|reenviado)|mensagem (?:original|encaminhada)|messaggio (?:originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande|oprindelig meddelelse)$/i;
const markerSentence =
  /^(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato) ?:$/i;

/** Whether the line separates a quoted message, such as `-----Original Message-----`. */
export function isQuoteMarker(line: string): boolean {
  const text = line.slice(0, 200).trim();
  return markerSentence.test(text) || markerWords.test(titleBetweenDashes(text) ?? '');
}

/** Returns the words between dashes, as in `-----Original Message-----`, or null for other lines. */
export function titleBetweenDashes(line: string): string | null {
  const [, title] = /^[-_*]{2,40}\s{0,4}(\p{L}[^-_*]{2,60})[-_*]{2,40}$/u.exec(line.trim()) ?? [];
  return title?.trim() ?? null;
}

const maxAttributionLength = 400;
const opening =
  /^(?:on|am|le|el|il|op|em|den|på|w dniu|dnia|dne|pe|em|в|em|ons?|mon|tue|wed|thu|fri|sat|sun|(?:19|20)\d\d)\b/iu;
const wrote =
  /\b(?:wrote|writes|schrieb|schreibt|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał\(?a?\)?|napsal\(?a?\)?|kirjoitti|írta|yazdı|пишет|написал\(?а?\)?|пише)(?![\p{L}\p{N}])/iu;
const moment = /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}:\d\d|\d{4}年/u;

/** How sure it is that a text introduces a quotation. */
export type Attribution = 'sure' | 'likely' | 'none';

/** Returns whether the text is a line such as `On 2 March 2026, Ada wrote:`. */
export function attributionOf(text: string): Attribution {
  const line = text.trim();
  if (line.length > maxAttributionLength || !/[:：]$/.test(line)) return 'none';
  const hasMoment = moment.test(line);
  const hasVerb = wrote.test(line) || /(?:のメール|写道|작성) ?[:：]$/u.test(line);
  if (hasVerb && hasMoment && opening.test(line)) return 'sure';
  return hasVerb || hasMoment || line.includes('@') ? 'likely' : 'none';
}

/** Returns the number of lines at the end that introduce a quotation, which may be wrapped to three lines. */
export function countAttributionLines(lines: readonly string[]): number {
  const tails = [1, 2, 3].filter((count) => count <= lines.length);
  const kinds = tails.map((count) => attributionOf(lines.slice(-count).join(' ')));
  const sure = kinds.indexOf('sure');
  return (sure < 0 ? kinds.indexOf('likely') : sure) + 1;
}
