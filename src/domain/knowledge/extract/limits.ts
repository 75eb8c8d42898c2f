/** Bounds on what one file may cost. */
export interface ExtractLimits {
  /** Wall clock for one file, start of a child process included. */
  readonly timeoutMs: number;
  /** Resident memory of the child process (not on Windows); its JavaScript heap gets 60 % of it. */
  readonly memoryBytes: number;
  readonly fileBytes: number;
  /** UTF-16 units of the extracted text. */
  readonly textCharacters: number;
  /** Pages of a PDF. */
  readonly pages: number;
  /** Unpacked bytes of a DOCX. */
  readonly unpackedBytes: number;
}

export const DEFAULT_EXTRACT_LIMITS: ExtractLimits = {
  timeoutMs: 90_000,
  memoryBytes: 1024 * 1024 * 1024,
  fileBytes: 110 * 1024 * 1024,
  textCharacters: 20_000_000,
  pages: 5_000,
  unpackedBytes: 400 * 1024 * 1024,
};
