import { cleanText } from './clean-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';
import { readText } from './read-text.ts';
import { createTextBuilder, type TextBuilder } from './text-builder.ts';

/** Lines longer than this on average are whole paragraphs; shorter ones were wrapped by hand. */
const UNWRAPPED_LINE_CHARACTERS = 120;

/** Reads a plain text file: blank lines part paragraphs, underlined lines are headings. */
export async function readTxt(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  return extractFromPlainText(await readText(bytes), limits.textCharacters);
}

/** The blocks of a text that never was a file. Throws `ExtractError` `EMPTY_TEXT` or `TOO_LARGE`. */
export function extractFromPlainText(raw: string, maxCharacters: number): ExtractedText {
  const builder = createTextBuilder(maxCharacters);
  for (const paragraph of cleanText(raw).split(/\n(?:[^\S\n]*\n)+/)) {
    addParagraph(builder, paragraph.split('\n'));
  }
  return builder.build();
}

function addParagraph(builder: TextBuilder, lines: readonly string[]): void {
  const [title = '', underline = '', ...rest] = lines;
  const level = underlineLevel(title, underline);
  if (level !== null) {
    builder.add('heading', title.trim(), { level });
    if (rest.length > 0) addParagraph(builder, rest);
    return;
  }
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  if (characters <= lines.length * UNWRAPPED_LINE_CHARACTERS) {
    builder.add('paragraph', lines.join('\n'));
    return;
  }
  for (const line of lines) builder.add('paragraph', line);
}

/** 1 for a title underlined with `=`, 2 with `-`, as in Markdown and reStructuredText; else null. */
function underlineLevel(title: string, underline: string): number | null {
  const mark = /^\s*(=+|-+)\s*$/.exec(underline)?.[1];
  const width = title.trim().length;
  if (mark === undefined || width === 0 || width > 100 || !/[\p{L}\p{N}]/u.test(title)) return null;
  if (mark.length < 3 || Math.abs(mark.length - width) > Math.max(3, width * 0.3)) return null;
  return mark.startsWith('=') ? 1 : 2;
}
