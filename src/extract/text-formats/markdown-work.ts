/**
 * Limits of a section that the parser can read in acceptable time. The time of the parser grows with the square of
 * several values: the delimiters and lines of a paragraph, the depth of lists and quotes, and the length of a section.
 * Within these limits, the slowest known texts take 25 µs per character, and prose takes 7 µs. The limits do not use
 * the clock, so that the same file gives the same text on a busy machine.
 */
const maxSectionLength = 250_000;
/** Maximum number of consecutive lines without a blank line between them. */
const maxParagraphLines = 1_000;
const maxParagraphBrackets = 10_000;
/** Maximum number of characters that may start or end emphasis: `*`, `_` and `~`. */
const maxParagraphEmphasis = 2_000;
const maxDepth = 32;
const maxIndentedDepth = 100;

const markerPattern = String.raw`(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))`;
const tooManyMarkers = new RegExp(String.raw`^(?:[ \t]*${markerPattern}){${maxDepth + 1}}`);
const tooIndented = new RegExp(String.raw`^[ \t]{${2 * maxIndentedDepth + 1},}${markerPattern}`);
/** Matches a list item or a table row. Its text is a separate paragraph. */
const ownParagraphPattern = /^\s*(?:[-*+] |\d{1,9}[.)] |\|)/;

/** Measures how much work one section of a Markdown text is for the parser. */
export interface MarkdownWork {
  /** Adds the work for one line. The line must be outside code and HTML. */
  add(line: string): void;
  /** Whether the parser would take too long for the section. */
  readonly isExceeded: boolean;
}

export function createMarkdownWork(): MarkdownWork {
  let length = 0;
  let lines = 0;
  let brackets = 0;
  let emphasis = 0;
  let isExceeded = false;
  return {
    add(line) {
      if (isExceeded) return;
      length += line.length + 1;
      const isBlank = line.trim() === '';
      if (isBlank || ownParagraphPattern.test(line)) {
        lines = 0;
        brackets = 0;
        emphasis = 0;
      }
      if (isBlank) return;
      lines += 1;
      brackets += countOf(line, /[[\]]/g);
      emphasis += countOf(line, /[*_~]/g);
      isExceeded =
        length > maxSectionLength ||
        lines > maxParagraphLines ||
        brackets > maxParagraphBrackets ||
        emphasis > maxParagraphEmphasis ||
        tooManyMarkers.test(line) ||
        tooIndented.test(line);
    },
    get isExceeded() {
      return isExceeded;
    },
  };
}

function countOf(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}
