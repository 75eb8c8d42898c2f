/** Size from which a section ends at the next safe place, in UTF-16 units. Larger ones take more than linear time. */
const sectionLength = 4_000;
/** Maximum length of the definitions that are added to a section. */
const maxDefinitionsLength = 4_000;

/** A section of a Markdown text, followed by the definitions of the links and footnotes that it refers to. */
export interface MarkdownSection {
  readonly source: string;
  /** Length of the section without the definitions. */
  readonly length: number;
}

/**
 * Splits a Markdown text where every block is closed: before a heading or paragraph that follows a blank line and is
 * not indented, outside code, comments and front matter.
 */
export function splitMarkdown(text: string): MarkdownSection[] {
  const sections = sectionsOf(text);
  const definitions = definitionsOf(sections.length > 1 ? text : '');
  return sections.map(({ source, isClosed }) => ({
    source: isClosed ? source + definitionsFor(source, definitions) : source,
    length: source.length,
  }));
}

function sectionsOf(text: string): { readonly source: string; readonly isClosed: boolean }[] {
  const sections: { source: string; isClosed: boolean }[] = [];
  let start = 0;
  let end = 0;
  let isAfterBlank = false;
  let closing: RegExp | null = null;
  for (const line of text.split('\n')) {
    if (closing !== null) {
      if (closing.test(line)) closing = null;
    } else {
      if (isAfterBlank && end - start >= sectionLength && boundaryPattern.test(line)) {
        sections.push({ source: text.slice(start, end), isClosed: true });
        start = end;
      }
      closing = end === 0 && /^(?:---|\+\+\+)\s*$/.test(line) ? frontMatterEnd : closingOf(line);
    }
    isAfterBlank = line.trim() === '';
    end += line.length + 1;
  }
  return [...sections, { source: text.slice(start), isClosed: closing === null }];
}

const boundaryPattern = /^(?:#{1,6} |\p{L}|\*\*)/u;
const frontMatterEnd = /^(?:---|\+\+\+)\s*$/;

/** Returns the pattern of the line that closes the code block or HTML block that the line opens, or null. */
function closingOf(line: string): RegExp | null {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) {
    const isCodeSpan = fence.startsWith('`') && line.trim().slice(fence.length).includes('`');
    // A fence longer than this counts as one of this length: regular expressions limit counts.
    return isCodeSpan
      ? null
      : new RegExp(`^ {0,3}${fence[0]}{${Math.min(fence.length, 1_000)},}\\s*$`);
  }
  const html = htmlBlocks.find(([opening]) => opening.test(line));
  return html === undefined || html[1].test(line) ? null : html[1];
}

/** Start and end of HTML blocks that may contain blank lines (CommonMark 0.31, section 4.6). */
const htmlBlocks: readonly (readonly [opening: RegExp, closing: RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<(?:pre|script|style|textarea)\b/i, /<\/(?:pre|script|style|textarea)>/i],
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
