/** A token of an RTF file (RTF 1.9.1, "RTF syntax"). */
export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  /** A control word such as `\fs24`, or a control symbol such as `\~`. */
  | { readonly kind: 'word'; readonly word: string; readonly value: number | null }
  /** Text as bytes, in the code page of the current font. */
  | { readonly kind: 'bytes'; readonly text: string };

const tokenPattern =
  /[{}]|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|[\r\n]+|[^{}\\\r\n]+/iy;

/** Yields the tokens of a file. The file must be decoded as Latin-1. Skips binary data. */
export function* rtfTokens(file: string): Generator<RtfToken> {
  const pattern = new RegExp(tokenPattern);
  for (let match = pattern.exec(file); match !== null; match = pattern.exec(file)) {
    const [token, word, number, hex, symbol] = match;
    if (token === '{') yield { kind: 'open' };
    else if (token === '}') yield { kind: 'close' };
    else if (word === 'bin') pattern.lastIndex += Math.max(0, Number(number ?? 0));
    else if (word !== undefined) {
      yield { kind: 'word', word, value: number === undefined ? null : Number(number) };
    } else if (hex !== undefined) {
      yield { kind: 'bytes', text: String.fromCharCode(Number.parseInt(hex, 16)) };
    } else if (symbol === '{' || symbol === '}' || symbol === '\\') {
      yield { kind: 'bytes', text: symbol };
    } else if (symbol !== undefined) {
      yield { kind: 'word', word: /[\r\n]/.test(symbol) ? 'par' : symbol, value: null };
    } else if (!/^[\r\n]/.test(token)) yield { kind: 'bytes', text: token };
  }
}
