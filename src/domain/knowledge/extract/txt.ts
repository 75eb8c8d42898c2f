import { cleanText } from './clean-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';
import { readText } from './read-text.ts';
import { createTextBuilder, type TextBuilder } from './text-builder.ts';

/** Lines longer than this on average are whole paragraphs; shorter ones were wrapped by hand. */
const UNWRAPPED_LINE_CHARACTERS = 120;
const LIST_START = /^\s*(?:[-*+•]|\d{1,3}[.)]) +\S/;

/**
 * Reads a plain text file: blank lines part paragraphs, underlined lines are headings, lines that start
 * with a bullet or a number are list items, prose wrapped by hand is joined.
 */
export async function readTxt(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  return extractFromPlainText(await readText(bytes), limits.textCharacters);
}

/** The blocks of a text that never was a file. Throws `ExtractError` `EMPTY_TEXT` or `TOO_LARGE`. */
export function extractFromPlainText(raw: string, maxCharacters: number): ExtractedText {
  const builder = createTextBuilder(maxCharacters);
  for (const lines of paragraphsOf(cleanText(raw))) addParagraph(builder, lines);
  return builder.build();
}

/** The lines of each paragraph. Line by line: a pattern over many blank lines fills the stack. */
function* paragraphsOf(text: string): Generator<readonly string[]> {
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() !== '') lines.push(line);
    else if (lines.length > 0) {
      yield lines;
      lines = [];
    }
  }
  if (lines.length > 0) yield lines;
}

function addParagraph(builder: TextBuilder, all: readonly string[]): void {
  const titleLines = addUnderlinedTitles(builder, all);
  const lines = titleLines === 0 ? all : all.slice(titleLines);
  const [title = ''] = lines;
  const chapter = lines.length === 1 ? chapterLevel(title.trim()) : null;
  if (chapter !== null) {
    builder.add('heading', title.trim(), { level: chapter });
    return;
  }
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  if (characters > lines.length * UNWRAPPED_LINE_CHARACTERS) {
    for (const line of lines) builder.add(LIST_START.test(line) ? 'list-item' : 'paragraph', line);
  } else if (LIST_START.test(title)) {
    for (const item of splitItems(lines)) builder.add('list-item', joinWrapped(item));
  } else {
    builder.add('paragraph', joinWrapped(lines));
  }
}

/** Adds the underlined titles that a paragraph starts with, and says how many lines they take. */
function addUnderlinedTitles(builder: TextBuilder, lines: readonly string[]): number {
  let taken = 0;
  for (;;) {
    const title = lines[taken] ?? '';
    const level = underlineLevel(title, lines[taken + 1] ?? '');
    if (level === null) return taken;
    builder.add('heading', title.trim(), { level });
    taken += 2;
  }
}

/** 1 for a title underlined with `=`, 2 with `-`, as in Markdown and reStructuredText; else null. */
function underlineLevel(title: string, underline: string): number | null {
  const mark = /^\s*(=+|-+)\s*$/.exec(underline)?.[1];
  const width = title.trim().length;
  if (mark === undefined || width === 0 || width > 100 || !/[\p{L}\p{N}]/u.test(title)) return null;
  if (mark.length < 3 || Math.abs(mark.length - width) > Math.max(3, width * 0.3)) return null;
  return mark.startsWith('=') ? 1 : 2;
}

/** `Chapter IV`, `2.1. General rules`: a line of its own with a number no list has. */
function chapterLevel(line: string): number | null {
  if (line.length > 80 || /[.,;:]$/.test(line.replace(/^[\d.]+$|\s[\dIVXLC]+\.$/, ''))) return null;
  if (/^(?:chapter|part|appendix|section|book)\s+(?:\d+|[IVXLC]+|[A-Z])\b/i.test(line)) return 1;
  const number = /^\d+(?:\.\d+)+\.?(?=\s+\p{L})/u.exec(line)?.[0];
  return number === undefined ? null : Math.min(6, number.split('.').filter(Boolean).length);
}

function splitItems(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  for (const line of lines) {
    const item = items.at(-1);
    if (item === undefined || LIST_START.test(line)) items.push([line]);
    else item.push(line);
  }
  return items;
}

/** Lines that all but fill a width, with single spaces, are prose; verses, addresses and tables stay. */
function joinWrapped(lines: readonly string[]): string {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  const isFull = lines.slice(0, -1).every((line) => line.length > width * 0.75);
  const isProse = isFull && width >= 50 && !lines.some((line) => /\S {3,}\S|\t|\|/.test(line));
  if (!isProse) return lines.join('\n');
  return lines.map((line, index) => (index === 0 ? line.trimEnd() : line.trim())).join(' ');
}
