/** Resource limits for extracting one file and splitting its text into chunks. */
export interface ExtractLimits {
  /** Maximum wall-clock time per file. It includes the time to start a child process. */
  readonly timeoutMs: number;
  /** Maximum resident memory of the child process. Not enforced on Windows. The JavaScript heap may use 60 % of it. */
  readonly memoryBytes: number;
  readonly fileBytes: number;
  /** Maximum length of the extracted text in UTF-16 code units. */
  readonly textCharacters: number;
  /** Maximum wall-clock time for OCR of one page. It is added to `timeoutMs`. */
  readonly ocrPageTimeoutMs: number;
  /** Maximum wall-clock time for OCR of all pages of a file. */
  readonly ocrTimeoutMs: number;
  /** Maximum size of an image in pixels. A page at 600 dpi has 35 million pixels, and OCR needs 700 MB for it. */
  readonly imagePixels: number;
  /** Maximum number of pages of a PDF. */
  readonly pages: number;
  /** Maximum total size in bytes of an archive, such as a DOCX, after unpacking. */
  readonly unpackedBytes: number;
  /** Maximum number of chunks of a document. */
  readonly chunks: number;
  /** Maximum length, in UTF-16 code units, of the text to embed. This text repeats the context for each chunk. */
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
