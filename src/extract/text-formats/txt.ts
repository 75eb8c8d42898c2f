import { endsWithColon } from '../chunks/chunk-leads.ts';
import { cleanText } from '../clean-text.ts';
import { readText } from '../encoding/decode-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import type { ExtractedText } from '../extracted-text.ts';
import { renderRow } from '../tables/table-records.ts';
import { type BlockSink, createTextBuilder } from '../text-builder.ts';
import { splitPlainTables } from './plain-columns.ts';
import { isNumberedTitle, sectionLevel, startsSection, withPlainTitles } from './plain-titles.ts';

/**
 * If the average line of a paragraph is longer than this, each line is a whole paragraph. Otherwise the lines are
 * hard-wrapped.
 */
const minUnwrappedLineLength = 120;
const listItemStart = /^\s*(?:[-*+•]|\d{1,3}[.)]) +\S/;

/**
 * Extracts a plain text file. Blank lines separate paragraphs, underlined lines are headings, and lines that start with
 * a bullet or number are list items. Joins hard-wrapped prose.
 */
export async function readTxt(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  return extractFromPlainText(await readText(bytes), limits.textCharacters);
}

/**
 * Extracts the blocks of a text that was sent in an API call.
 * @throws ExtractError EMPTY_TEXT when there is no text, TOO_LARGE above `maxCharacters` UTF-16 code units.
 */
export function extractFromPlainText(raw: string, maxCharacters: number): ExtractedText {
  const builder = createTextBuilder(maxCharacters);
  addPlainText(builder, cleanText(raw));
  return withPlainTitles(builder.build());
}

/** Adds the blocks of a clean text. */
export function addPlainText(builder: BlockSink, text: string): void {
  let isInList = false;
  for (const lines of splitParagraphs(text)) {
    const [first = ''] = lines;
    const isItem = listItemStart.test(first) && !isNumberedTitle(first.trim());
    const isItemPart: boolean = isInList && !isItem && /^(?: {2}|\t)/.test(first);
    if (isItemPart) addItemPart(builder, lines);
    else addParagraph(builder, lines);
    isInList = isItem || isItemPart;
  }
}

/** Adds a further paragraph of a list item. It may end with items of its own. */
function addItemPart(builder: BlockSink, lines: readonly string[]): void {
  const at = lines.findIndex((line) => listItemStart.test(line));
  const text = at === -1 ? lines : lines.slice(0, at);
  if (text.length > 0) builder.add('paragraph', joinWrapped(text), { isItemPart: true });
  for (const item of at === -1 ? [] : splitItems(lines.slice(at))) {
    builder.add('list-item', joinWrapped(item));
  }
}

/**
 * Yields the lines of each paragraph. Does not use a regular expression, because many blank lines would overflow the
 * stack.
 */
function* splitParagraphs(text: string): Generator<readonly string[]> {
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

function addParagraph(builder: BlockSink, allLines: readonly string[]): void {
  const underlined = addUnderlinedTitles(builder, allLines);
  const below = underlined === 0 ? allLines : allLines.slice(underlined);
  const hasTitle = startsSection(below);
  if (hasTitle) builder.add('heading', below[0]?.trim() ?? '', { level: sectionLevel });
  const lines = hasTitle ? below.slice(1) : below;
  const [title = ''] = lines;
  const chapter = lines.length === 1 ? chapterLevel(title.trim()) : null;
  if (chapter !== null) {
    builder.add('heading', title.trim(), { level: chapter });
    return;
  }
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  if (characters > lines.length * minUnwrappedLineLength) {
    for (const line of lines)
      builder.add(listItemStart.test(line) ? 'list-item' : 'paragraph', line);
  } else {
    for (const part of splitPlainTables(lines)) {
      if (part.kind === 'text') addLines(builder, part.lines);
      else for (const row of part.rows) builder.add('table-row', renderRow(row, part.header));
    }
  }
}

/** Adds the lines of a paragraph, which may contain lists. */
function addLines(builder: BlockSink, lines: readonly string[]): void {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  for (let start = 0; start < lines.length; ) {
    const list = listStart(lines, start);
    if (list > start) builder.add('paragraph', joinWrapped(lines.slice(start, list)));
    const end = listEnd(lines, list, width);
    for (const item of splitItems(lines.slice(list, end))) {
      builder.add('list-item', joinWrapped(item));
    }
    start = end;
  }
}

/**
 * Returns the index of the line after the list. A line that begins with a capital letter in the first column continues no
 * item if the line above it is short or ends a sentence.
 */
function listEnd(lines: readonly string[], start: number, width: number): number {
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const above = lines[index - 1]?.trimEnd() ?? '';
    const isText = /^\p{Lu}/u.test(line) && !listItemStart.test(line);
    if (isText && (above.length < 0.75 * width || /[.!?]$/.test(above))) return index;
  }
  return lines.length;
}

/**
 * Adds the underlined titles at the start of a paragraph. Returns the number of lines of the titles, including
 * underlines.
 */
function addUnderlinedTitles(builder: BlockSink, lines: readonly string[]): number {
  let lineCount = 0;
  for (;;) {
    const title = lines[lineCount] ?? '';
    const level = underlineLevel(title, lines[lineCount + 1] ?? '');
    if (level === null) return lineCount;
    builder.add('heading', title.trim(), { level });
    lineCount += 2;
  }
}

/**
 * Returns the heading level of an underlined title: 1 for `=` and 2 for `-`, as in Markdown and reStructuredText.
 * Returns null if the lines are not an underlined title.
 */
function underlineLevel(title: string, underline: string): number | null {
  const mark = /^\s*(=+|-+)\s*$/.exec(underline)?.[1];
  const width = title.trim().length;
  if (mark === undefined || width === 0 || width > 100 || !/[\p{L}\p{N}]/u.test(title)) return null;
  if (mark.length < 3 || Math.abs(mark.length - width) > Math.max(3, width * 0.3)) return null;
  return mark.startsWith('=') ? 1 : 2;
}

/**
 * Returns the level of a numbered heading such as `Chapter IV` or `2.1. General rules`. Returns null for other lines.
 */
function chapterLevel(line: string): number | null {
  if (line.length > 80 || /[.,;:]$/.test(line.replace(/^[\d.]+$|\s[\dIVXLC]+\.$/, ''))) return null;
  if (/^(?:chapter|part|appendix|section|book)\s+(?:\d+|[IVXLC]+|[A-Z])\b/i.test(line)) return 1;
  if (isNumberedTitle(line)) return sectionLevel;
  const number = /^\d+(?:\.\d+)+\.?(?=\s+\p{L})/u.exec(line)?.[0];
  return number === undefined ? null : Math.min(6, number.split('.').filter(Boolean).length);
}

/**
 * Returns the index of the line with the first list item. This is the first line, or a line below a lead such as `You
 * need:`.
 */
function listStart(lines: readonly string[], from: number): number {
  for (let index = from; index < lines.length; index += 1) {
    const isLead = index === from || endsWithColon(lines[index - 1] ?? '');
    if (isLead && listItemStart.test(lines[index] ?? '')) return index;
  }
  return lines.length;
}

function splitItems(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  for (const line of lines) {
    const item = items.at(-1);
    if (item === undefined || listItemStart.test(line)) items.push([line]);
    else item.push(line);
  }
  return items;
}

/**
 * Joins hard-wrapped lines of prose. In prose, all lines except the last are nearly as wide as the longest one. Keeps
 * line breaks in verses, addresses and tables.
 */
function joinWrapped(lines: readonly string[]): string {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  const isFull = lines.slice(0, -1).every((line) => line.length > width * 0.75);
  const isProse = isFull && width >= 50 && !lines.some((line) => /\S {3,}\S|\t|\|/.test(line));
  if (!isProse) return lines.join('\n');
  return lines.map((line, index) => (index === 0 ? line.trimEnd() : line.trim())).join(' ');
}
