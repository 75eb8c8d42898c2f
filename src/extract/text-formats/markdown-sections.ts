import { createMarkdownWork } from './markdown-work.ts';

/**
 * Minimum size of a section in UTF-16 units. Above this size, the section ends at the next safe place, because the
 * parser takes more than linear time for large sections.
 */
const sectionLength = 1_000;
/** Maximum length of the definitions that are appended to a section. */
const maxDefinitionsLength = 4_000;

/** A section of a Markdown text. The definitions of links and footnotes to which it refers are appended. */
export interface MarkdownSection {
  readonly source: string;
  /** Length of the section without the definitions. */
  readonly length: number;
  /** Whether the parser would take too long for this section. */
  readonly isTooComplex: boolean;
}

/**
 * Splits a Markdown text into sections. Splits only at places where no block is open: before a bullet, or before a
 * heading or paragraph that follows a blank line. The line must not be indented, and must be outside code, HTML
 * and comments.
 */
export function splitMarkdown(text: string): MarkdownSection[] {
  const sections = sectionsOf(text);
  const definitions = definitionsOf(sections.length > 1 ? text : '');
  return sections.map(({ source, isClosed, isTooComplex }) => ({
    source: isClosed ? source + definitionsFor(source, definitions) : source,
    length: source.length,
    isTooComplex,
  }));
}

interface SectionSource {
  readonly source: string;
  /** Whether no block is open at the end, so that definitions can be appended. */
  readonly isClosed: boolean;
  readonly isTooComplex: boolean;
}

function sectionsOf(text: string): SectionSource[] {
  const sections: SectionSource[] = [];
  let start = 0;
  let end = 0;
  let work = createMarkdownWork();
  const endSection = (isClosed: boolean) => {
    const source = text.slice(start, end);
    sections.push({ source, isClosed, isTooComplex: work.isExceeded });
    start = end;
    work = createMarkdownWork();
  };
  let isAfterBlank = false;
  let closing: RegExp | null = null;
  for (const line of text.split('\n')) {
    if (closing !== null) {
      if (closing.test(line)) closing = null;
    } else {
      const isBoundary = bulletPattern.test(line) || (isAfterBlank && boundaryPattern.test(line));
      if (isBoundary && end - start >= sectionLength) {
        endSection(true);
      }
      closing = closingOf(line);
      if (closing === null) work.add(line);
    }
    isAfterBlank = line.trim() === '';
    end += line.length + 1;
  }
  endSection(closing === null || closing === blankLine);
  return sections;
}

const boundaryPattern = /^(?:#{1,6} |\p{L}|\*\*)/u;
/** A bullet without indentation. It ends every block except code and HTML. */
const bulletPattern = /^[-*+] +\S/;

/**
 * Returns the pattern of the line that closes the code block or HTML block that this line opens. Returns null if it
 * opens none.
 */
function closingOf(line: string): RegExp | null {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) {
    const isCodeSpan = fence.startsWith('`') && line.trim().slice(fence.length).includes('`');
    // Regular expressions limit counts, so a fence that is longer than the limit counts as a fence of the limit's
    // length.
    return isCodeSpan
      ? null
      : new RegExp(`^ {0,3}${fence[0]}{${Math.min(fence.length, 1_000)},}\\s*$`);
  }
  const html = htmlBlocks.find(([opening]) => opening.test(line));
  return html === undefined || html[1].test(line) ? null : html[1];
}

const blankLine = /^\s*$/;

/** Lines that start and end HTML blocks (CommonMark 0.31, section 4.6). */
const htmlBlocks: readonly (readonly [opening: RegExp, closing: RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<(?:pre|script|style|textarea)\b/i, /<\/(?:pre|script|style|textarea)>/i],
  [
    /^ {0,3}<\/?(?:article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figure|footer|form|h[1-6]|head|header|html|iframe|li|link|main|menu|meta|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?:[\s/>]|$)/i,
    blankLine,
  ],
];

/** Returns the lines that define links and footnotes, by label. */
function definitionsOf(text: string): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const [line, label = ''] of text.matchAll(/^ {0,3}\[([^\]\n]{1,200})\]:[^\n]{1,500}$/gm)) {
    const key = label.toLowerCase();
    if (!definitions.has(key)) definitions.set(key, line);
  }
  return definitions;
}

function definitionsFor(source: string, definitions: ReadonlyMap<string, string>): string {
  const found = new Set<string>();
  let length = 0;
  for (const [, label = ''] of source.matchAll(/\[([^[\]\n]{1,200})\]/g)) {
    const line = definitions.get(label.toLowerCase());
    if (line === undefined || found.has(line)) continue;
    length += line.length;
    if (length > maxDefinitionsLength) break;
    found.add(line);
  }
  return ['', '', ...found].join('\n');
}
