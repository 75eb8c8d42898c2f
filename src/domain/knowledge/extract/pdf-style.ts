import type { Line } from './pdf-lines.ts';

/** What is usual in a document. */
export interface PdfStyle {
  /** The font size of most characters. */
  readonly bodySize: number;
  /** Fonts set sparingly, so that a short line in one of them stands out. */
  readonly titleFonts: ReadonlySet<string>;
  /** All words, lower case: tells a hyphen of a line end from one of a compound. */
  readonly words: ReadonlySet<string>;
}

const MOST_WORDS = 200_000;
const LARGEST_TITLE_FONT_SHARE = 0.25;

/** The style of a document, from the lines of all its pages. */
export function styleOf(pages: readonly (readonly Line[])[]): PdfStyle {
  const charactersBySize = new Map<number, number>();
  const charactersByFont = new Map<string, number>();
  const words = new Set<string>();
  let characters = 0;
  for (const line of pages.flat()) {
    const text = lineText(line);
    const size = Math.round(line.size * 2) / 2;
    characters += text.length;
    charactersBySize.set(size, (charactersBySize.get(size) ?? 0) + text.length);
    charactersByFont.set(line.font, (charactersByFont.get(line.font) ?? 0) + text.length);
    if (words.size < MOST_WORDS) {
      for (const word of text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*/gu) ?? []) words.add(word);
    }
  }
  const [[bodySize] = [10]] = [...charactersBySize].sort((a, b) => b[1] - a[1]);
  const [, ...otherFonts] = [...charactersByFont].sort((a, b) => b[1] - a[1]);
  const titleFonts = otherFonts.filter(([, count]) => count < characters * LARGEST_TITLE_FONT_SHARE);
  return { bodySize, titleFonts: new Set(titleFonts.map(([font]) => font)), words };
}

export function lineText(line: Line): string {
  return line.cells.map((cell) => cell.text).join(' ');
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** Lines as one: hyphens of line ends closed, no space between ideographs. */
export function joinLines(lines: readonly string[], words: ReadonlySet<string>): string {
  return lines.reduce((text, line) => {
    if (UNSPACED.test(text.at(-1) ?? '') && UNSPACED.test(line.at(0) ?? '')) return text + line;
    if (/\p{L}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(line)) {
      return isCompound(text, line, words) ? text + line : text.slice(0, -1) + line;
    }
    return `${text} ${line}`;
  });
}

/** Whether the document writes the word with its hyphen where no line ends. */
function isCompound(text: string, line: string, words: ReadonlySet<string>): boolean {
  const left = /[\p{L}-]+(?=.$)/u.exec(text)?.[0]?.toLowerCase() ?? '';
  const right = /^\p{L}+/u.exec(line)?.[0]?.toLowerCase() ?? '';
  return !words.has(left + right) && words.has(`${left}-${right}`);
}
