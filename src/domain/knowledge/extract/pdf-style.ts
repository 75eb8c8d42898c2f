import { type Line, lineText } from './pdf-lines.ts';

/** What is usual in a document. */
export interface PdfStyle {
  /** The font size of most characters. */
  readonly bodySize: number;
  /** Fonts set sparingly, so that a short line in one of them stands out. */
  readonly titleFonts: ReadonlySet<string>;
  /** Words seen within lines, lower case: tells a word broken at a line end from two. */
  readonly words: ReadonlySet<string>;
}

const MOST_WORDS = 200_000;
const LARGEST_TITLE_FONT_SHARE = 0.25;

/** How a list item begins: a bullet, a number, a letter or a roman numeral. */
export const LIST_START = /^(?:[•◦▪●○■□–*·‣⁃-]\s+\S|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+\S)/i;

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
    for (const run of line.runs) {
      charactersByFont.set(run.font, (charactersByFont.get(run.font) ?? 0) + run.text.length);
    }
    if (words.size < MOST_WORDS) for (const word of innerWords(text)) words.add(word);
  }
  const [[bodySize] = [10]] = [...charactersBySize].sort((a, b) => b[1] - a[1]);
  const [, ...otherFonts] = [...charactersByFont].sort((a, b) => b[1] - a[1]);
  const titleFonts = otherFonts.filter(
    ([, count]) => count < characters * LARGEST_TITLE_FONT_SHARE,
  );
  return { bodySize, titleFonts: new Set(titleFonts.map(([font]) => font)), words };
}

/** The first and the last word of a line may be halves. */
function innerWords(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*/gu) ?? []).slice(1, -1);
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** Lines as one: words broken at line ends closed, no space between ideographs. */
export function joinLines(lines: readonly string[], words: ReadonlySet<string>): string {
  return lines.reduce((text, line) => {
    if (UNSPACED.test(text.at(-1) ?? '') && UNSPACED.test(line.at(0) ?? '')) return text + line;
    const right = /^\p{Ll}[\p{L}]*/u.exec(line)?.[0].toLowerCase();
    const left = /(\p{L}[\p{L}-]*?)([-\u2010]?)$/u.exec(text.slice(-60));
    const [, half = '', hyphen = ''] = left ?? [];
    if (right === undefined || half === '') return `${text} ${line}`;
    const isKnown = words.has(half.toLowerCase() + right);
    if (hyphen === '') {
      // Some PDFs leave the hyphen out of the text altogether.
      const isBroken = isKnown && !words.has(right) && !words.has(half.toLowerCase());
      return isBroken ? text + line : `${text} ${line}`;
    }
    const isCompound = !isKnown && words.has(`${half.toLowerCase()}-${right}`);
    return isCompound ? text + line : text.slice(0, -1) + line;
  });
}

/** `text` without the dots that lead the eye from an entry to its page number. */
export function withoutLeaders(text: string): string {
  return text.replace(/(?:\s*[.…]){4,}\s*/g, ' ').trim();
}
