import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders in which Linux distributions and Homebrew install the language data of Tesseract. */
const places = ['/usr/share/tessdata', '/usr/local/share/tessdata', '/opt/homebrew/share/tessdata'];
const debian = '/usr/share/tesseract-ocr';

/** Folders that the OCR process may read. */
export const languageDataFolders: readonly string[] = [debian, ...places];

/** Returns the folders that may contain Tesseract's language data. Debian has one folder per version of Tesseract. */
export function languageDataDirectories(): string[] {
  try {
    return [...readdirSync(debian).map((version) => join(debian, version, 'tessdata')), ...places];
  } catch {
    return [...places];
  }
}
