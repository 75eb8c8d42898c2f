/** Resource limits for the extraction of one file and for splitting its text into chunks. */
export interface ExtractLimits {
  /** Maximum wall-clock time per file, including the time to start a child process. */
  readonly timeoutMs: number;
  /**
   * Maximum resident memory of the child process; not enforced on Windows. Its JavaScript heap may use 60 % of this.
   */
  readonly memoryBytes: number;
  readonly fileBytes: number;
  /** Maximum length of the extracted text in UTF-16 code units. */
  readonly textCharacters: number;
  /** Maximum wall-clock time in which OCR reads a page. It is added to `timeoutMs`. */
  readonly ocrPageTimeoutMs: number;
  /** Maximum wall-clock time in which OCR reads all pages of a file. */
  readonly ocrTimeoutMs: number;
  /** Maximum size of an image in pixels. A page of 600 dpi has 35 million, and needs 700 MB to be read. */
  readonly imagePixels: number;
  /** Maximum number of pages of a PDF. */
  readonly pages: number;
  /** Maximum total size of an unpacked archive, such as a DOCX, in bytes. */
  readonly unpackedBytes: number;
  /** Maximum number of chunks of a document. */
  readonly chunks: number;
  /** Maximum length of the text to embed, which repeats the context of each chunk, in UTF-16 code units. */
  readonly embeddedCharacters: number;
}

export const defaultExtractLimits: ExtractLimits = {
  timeoutMs: 90_000,
  ocrPageTimeoutMs: 60_000,
  ocrTimeoutMs: 20 * 60_000,
  imagePixels: 40_000_000,
  memoryBytes: 1024 * 1024 * 1024,
  fileBytes: 110 * 1024 * 1024,
  textCharacters: 20_000_000,
  pages: 5_000,
  unpackedBytes: 400 * 1024 * 1024,
  chunks: 50_000,
  embeddedCharacters: 30_000_000,
};
