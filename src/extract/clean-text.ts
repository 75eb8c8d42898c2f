import { writeRaised } from './raised-text.ts';

/**
 * Invisible characters that cause faults in search or storage: controls, bidi marks, soft hyphens, word joiners and
 * BOMs.
 */
const invisibleCharacters =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

const lineBreak = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/**
 * Normalizes text for storage. Converts the text to NFC and line ends to `\n`, and replaces lone surrogates with
 * U+FFFD. Removes soft hyphens, zero-width spaces, bidi overrides, and control characters except tab and line feed.
 * Keeps U+200C and U+200D, because Persian and emoji need them. Rewrites superscripts with `writeRaised`.
 */
export function cleanText(raw: string): string {
  return writeRaised(raw)
    .toWellFormed()
    .replace(lineBreak, '\n')
    .replace(invisibleCharacters, '')
    .normalize('NFC');
}

/** Normalizes text with `cleanText` and puts it on one line: trims it and replaces all white space by single spaces. */
export function cleanLine(raw: string): string {
  return cleanText(raw).replace(/\s+/g, ' ').trim();
}
