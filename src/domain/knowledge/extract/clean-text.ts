/** Characters that print nothing and break search or storage: controls, bidi and joining marks, BOMs. */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

const LINE_BREAK = /\r\n|[\r\f\u0085\u2028\u2029]/g;

/**
 * `raw` as the service stores text: NFC, `\n` line ends, no control characters but tab and line end,
 * lone surrogates replaced by U+FFFD, no soft hyphens, zero-width spaces or bidi overrides. The joiners
 * of Persian and emoji (U+200C, U+200D) stay.
 */
export function cleanText(raw: string): string {
  return raw.toWellFormed().replace(LINE_BREAK, '\n').replace(INVISIBLE, '').normalize('NFC');
}

/** `raw` on one line: cleaned, every stretch of white space one space, trimmed. */
export function cleanLine(raw: string): string {
  return cleanText(raw).replace(/\s+/g, ' ').trim();
}
