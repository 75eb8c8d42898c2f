import { lineText, type PdfLine } from './pdf-lines.ts';

/** Typographic statistics of a document. */
export interface PdfStyle {
  /** Most frequent font size in points. */
  readonly bodySize: number;
  /** Rarely used fonts. A short line in one of these fonts is probably a heading. */
  readonly titleFonts: ReadonlySet<string>;
  /**
   * Words of the document in lower case, except words at the start or end of a line. Used to decide whether a word was
   * hyphenated at the end of a line.
   */
  readonly words: ReadonlySet<string>;
}

const maxWords = 200_000;
const maxTitleFontShare = 0.25;

/** Matches the start of a list item: a bullet, number, letter or roman numeral. */
export const listItemStart = /^(?:[•◦▪●○■□–*·‣⁃-]\s+\S|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+\S)/i;

/** Computes the statistics of a document from the lines of all pages. */
export function detectStyle(pages: readonly (readonly PdfLine[])[]): PdfStyle {
  const charactersBySize = new Map<number, number>();
  const charactersByFont = new Map<string, number>();
  const words = new Set<string>();
  let characters = 0;
  for (const line of pages.flat()) {
    const text = lineText(line);
    const size = Math.round(line.size * 2) / 2;
    characters += text.length;
    charactersBySize.set(size, (charactersBySize.get(size) ?? 0) + text.length);
    for (const run of line.runs) {
      charactersByFont.set(run.font, (charactersByFont.get(run.font) ?? 0) + run.text.length);
    }
    if (words.size < maxWords) for (const word of innerWords(text)) words.add(word);
  }
  const [[bodySize] = [10]] = [...charactersBySize].sort((a, b) => b[1] - a[1]);
  const [, ...otherFonts] = [...charactersByFont].sort((a, b) => b[1] - a[1]);
  const titleFonts = otherFonts.filter(([, count]) => count < characters * maxTitleFontShare);
  return { bodySize, titleFonts: new Set(titleFonts.map(([font]) => font)), words };
}

/** Returns the words of a line without the first and last word, because these may be parts of hyphenated words. */
function innerWords(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*/gu) ?? []).slice(1, -1);
}

/** Removes dot leaders, such as those in a table of contents. */
export function removeDotLeaders(text: string): string {
  return text.replace(/(?<![\s.…])(?:\s*[.…]){4,}\s*/g, ' ').trim();
}
