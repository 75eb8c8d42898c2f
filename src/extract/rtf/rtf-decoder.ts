import { encodingOfCharset, encodingOfCodePage } from './rtf-code-pages.ts';

/** Decodes the bytes of a file. Their encoding is that of their font, or else that of the file. */
export interface RtfDecoder {
  setCodePage(codePage: number): void;
  setCharset(font: number, charset: number): void;
  /** Adds bytes, one per character of the text. First emits earlier bytes if their encoding differs. */
  add(bytes: string, font: number): void;
  /** Emits the text of the bytes. */
  flush(): void;
}

export function createRtfDecoder(emit: (text: string) => void): RtfDecoder {
  const encodings = new Map<number, string>();
  let fileEncoding = encodingOfCodePage(1252);
  let bytes = '';
  let bytesEncoding = '';

  const flush = () => {
    if (bytes === '') return;
    const decoded = new TextDecoder(bytesEncoding).decode(Buffer.from(bytes, 'latin1'));
    bytes = '';
    emit(decoded);
  };
  return {
    setCodePage(codePage) {
      fileEncoding = encodingOfCodePage(codePage);
    },
    setCharset(font, charset) {
      const encoding = encodingOfCharset(charset);
      if (encoding !== null) encodings.set(font, encoding);
    },
    add(text, font) {
      const encoding = encodings.get(font) ?? fileEncoding;
      if (encoding !== bytesEncoding) flush();
      bytesEncoding = encoding;
      bytes += text;
    },
    flush,
  };
}
