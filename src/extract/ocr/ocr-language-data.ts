import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where packages of Linux distributions and of Homebrew install the languages of Tesseract. */
const places = ['/usr/share/tessdata', '/usr/local/share/tessdata', '/opt/homebrew/share/tessdata'];
const debian = '/usr/share/tesseract-ocr';

/** Folders that the process of OCR may read. */
export const languageDataFolders: readonly string[] = [debian, ...places];

/** Returns the folders that may contain language data of Tesseract. Debian has one per version. */
export function languageDataDirectories(): string[] {
  try {
    return [...readdirSync(debian).map((version) => join(debian, version, 'tessdata')), ...places];
  } catch {
    return [...places];
  }
}
