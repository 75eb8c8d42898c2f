/**
 * What the parser reads in good time. Its time grows with the square of the delimiters and lines of a paragraph, of the
 * depth of lists and quotes, and of the length of a section. Within these limits, the worst texts that were found take
 * 25 µs a character, and prose 7 µs. The limits count lines and characters, so that the same file gives the same text
 * on a busy machine.
 */
const maxSectionLength = 250_000;
/** Lines without a blank one between them. */
const maxParagraphLines = 1_000;
const maxParagraphBrackets = 10_000;
/** Characters that may start or end emphasis: `*`, `_` and `~`. */
const maxParagraphEmphasis = 2_000;
const maxDepth = 32;
const maxIndentedDepth = 100;

const markerPattern = String.raw`(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))`;
const tooManyMarkers = new RegExp(String.raw`^(?:[ \t]*${markerPattern}){${maxDepth + 1}}`);
const tooIndented = new RegExp(String.raw`^[ \t]{${2 * maxIndentedDepth + 1},}${markerPattern}`);
/** A list item or a row of a table. Its text is a paragraph of its own. */
const ownParagraphPattern = /^\s*(?:[-*+] |\d{1,9}[.)] |\|)/;

/** Adds up the work of the parser for one section of a Markdown text. */
export interface MarkdownWork {
  /** Adds a line outside code and HTML. */
  add(line: string): void;
  /** Whether the section would take too long. */
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
