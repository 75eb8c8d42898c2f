const defaultEncoding = 'windows-1252';

/** Names of encodings in the WHATWG standard, by Windows code page. */
const encodingsByCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  54936: 'gb18030',
  65001: 'utf-8',
};

/**
 * Code pages by the character set of a font (RTF 1.9.1, `\fcharset`). Other character sets use the code page of the
 * file.
 */
const codePagesByCharset: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export function encodingOfCodePage(codePage: number): string {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  return encodingsByCodePage[codePage] ?? defaultEncoding;
}

/** Returns the encoding of a character set. Returns null if the character set uses the encoding of the file. */
export function encodingOfCharset(charset: number): string | null {
  const codePage = codePagesByCharset[charset];
  return codePage === undefined ? null : encodingOfCodePage(codePage);
}
