import type { Block, ExtractedText } from '../extracted-text.ts';

/** Level of a section heading that is not marked as a heading. It is below the title of the document. */
export const sectionLevel = 2;
/** Level of other titles. It is below every marked heading. */
const titleLevel = 6;
const maxTitleLength = 80;
const maxTitleWords = 10;
/** Maximum number of lines in a block of titles, for example a title and the title of its first section. */
const maxTitleLines = 3;
/**
 * Minimum length of the text below a title. If the text is shorter, the title may be a line of an address or a table.
 */
const minTextLength = 60;

/**
 * Converts lines to headings if they look like titles but are not marked as headings. Such a line is not part of a
 * longer paragraph, and a text follows it. It is in upper case ("CARE MANAGEMENT"), has capitalized words ("Opening
 * Hours") or is a question. If no marked heading follows, a title in upper case or the first of two consecutive titles
 * starts a section.
 */
export function withPlainTitles({ text, blocks }: ExtractedText): ExtractedText {
  const lines = blocks.map((block) => linesOf(block, text));
  const labels = new Set(lines.flat().map(({ line }) => line.toUpperCase()));
  const titles = lines.map((own) => (own.every(({ line }) => isTitle(line, labels)) ? own : []));
  const lastMarked = blocks.findLastIndex(({ kind }) => kind === 'heading');
  const isAbove = (index: number) => (titles[index]?.length ?? 0) > 0;
  return {
    text,
    blocks: blocks.flatMap((block, index): readonly Block[] => {
      const own = titles[index] ?? [];
      const next = isAbove(index + 1) ? index + 2 : index + 1;
      if (block.kind === 'heading' || own.length === 0 || !isText(blocks[next], text))
        return [block];
      return own.map(({ line, start }, place) => {
        const isFollowed = place < own.length - 1 || next > index + 1;
        const isSection = index > lastMarked && (isFollowed || isUpperCase(line));
        const level = isSection ? sectionLevel : titleLevel;
        return { ...block, kind: 'heading', level, start, end: start + line.length };
      });
    }),
  };
}

/** Whether each of the lines has the form of a title. */
export function areTitles(lines: readonly string[]): boolean {
  return lines.length <= maxTitleLines && lines.every(hasTitleForm);
}

interface TitleLine {
  readonly line: string;
  readonly start: number;
}

/** Returns the lines of a heading, or of a paragraph whose lines have the form of titles. Each line has its offset. */
function linesOf({ kind, isItemPart, start, end }: Block, text: string): readonly TitleLine[] {
  if (kind === 'heading') return [{ line: text.slice(start, end), start }];
  const isCandidate = kind === 'paragraph' && isItemPart !== true;
  if (!isCandidate || end - start > maxTitleLines * (maxTitleLength + 1)) return [];
  const lines = text.slice(start, end).split('\n');
  if (!areTitles(lines)) return [];
  return lines.map((line, index) => ({
    line,
    start: start + lines.slice(0, index).reduce((length, before) => length + before.length + 1, 0),
  }));
}

/**
 * Whether a line is a title. A field such as `DEPARTMENT: Sales` is not a title, unless its label is also a title in
 * the text.
 */
function isTitle(line: string, labels: ReadonlySet<string>): boolean {
  const [label = '', value] = line.split(': ');
  return value === undefined || labels.has(label.toUpperCase());
}

function hasTitleForm(line: string): boolean {
  if (line.length > maxTitleLength) return false;
  return (
    isQuestion(line) ||
    (line.split(/\s+/).length <= maxTitleWords &&
      !/[.,;!|…\t]|:$|:.*:/u.test(line) &&
      !noticePattern.test(line) &&
      (isUpperCase(line) || isCapitalized(line)))
  );
}

/**
 * Whether the first line of a paragraph is the title of a section, directly above its text: it is in upper case and the
 * line after it is not, or it is short.
 */
export function startsSection(lines: readonly string[]): boolean {
  const [title = '', next = ''] = lines.map((line) => line.trim());
  const length = lines.slice(1).reduce((sum, line) => sum + line.length, 0);
  if (length < minTextLength || !/\p{Ll}{2}/u.test(next)) return false;
  return isSectionName(nameOf(title)) || isShortTitle(title, next);
}

/**
 * Whether a line is a title in other letters: a few words without an end, with a number or above a line that is several
 * times as long and no item of a list.
 */
function isShortTitle(title: string, next: string): boolean {
  const name = nameOf(title);
  const isNumbered = name !== title;
  const isTitle = isNumbered ? numberedTitle.test(name) : plainTitle.test(name);
  const isItem = isNumbered
    ? /^\p{Nd}{1,3}[.)] /u.test(next)
    : /^(?:[-*+•]|\p{Nd}{1,3}[.)]) /u.test(next);
  const words = name.split(/\s+/).length;
  const isShort = isNumbered ? words <= maxTitleWords : words <= maxShortTitleWords;
  // A line in small letters continues the sentence of an item.
  const isContinued = /^\p{Ll}/u.test(next);
  const isBelow = isNumbered ? !isContinued : next.length >= 3 * title.length;
  return isTitle && !isItem && isShort && isBelow;
}

const plainTitle = /^\p{Lu}(?!.* {2})[^.,;:!?|…\t]*[\p{L})]$/u;
const numberedTitle = /^\p{Lu}(?!.* {2})[^.;:!|…\t]*[\p{L})?]$/u;
const maxShortTitleWords = 6;

/** Whether a line is a title in upper case with one number, such as "2. PRICES PER NIGHT". */
export function isNumberedTitle(line: string): boolean {
  return /^\d{1,2}[.)]?\s/.test(line) && isSectionName(nameOf(line));
}

/** Returns a title without its number, and without a note in brackets at its end. */
function nameOf(title: string): string {
  return title.replace(/^\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+/, '').replace(/\s\([^()]{1,40}\)$/, '');
}

function isSectionName(name: string): boolean {
  return name.length <= maxTitleLength && !/[.,;:!]$/.test(name) && isUpperCase(name);
}

/** Whether a line is a single question, as in a list of questions and answers. */
function isQuestion(line: string): boolean {
  return /^[\p{Lu}\p{Lo}¿][^.!?？؟]+[?？؟]$/u.test(line);
}

/** Whether a line is in upper case. If it has a label before a colon or dash, only the label counts. */
function isUpperCase(line: string): boolean {
  const [label = ''] = line.split(/: | [-–—] /);
  return /\p{Lu}{4}/u.test(label) && !/\p{Ll}/u.test(label);
}

/** Whether all long words of a line start with a capital letter and no word contains a digit. */
function isCapitalized(line: string): boolean {
  const words = line.split(/\s+/).filter((word) => word.length > 3);
  const areCapitalized = words.every((word) => /^\P{Ll}/u.test(word));
  return words.length > 0 && areCapitalized && /^\p{Lu}[^\d:]+$/u.test(line);
}

/** Matches words that introduce a notice and not a section. */
const noticePattern =
  /^(?:attention|beware|caution|danger|example|hint|important|notice|note|tip|warning)$/i;

/** Whether a block is a text that can follow a title. */
function isText(block: Block | undefined, text: string): boolean {
  if (block === undefined || block.kind === 'heading' || block.kind === 'code') return false;
  if (block.kind !== 'paragraph') return true;
  return block.end - block.start >= minTextLength || text.charAt(block.end - 1) === ':';
}
