import { cleanLine } from '../clean-text.ts';
import { createPageTextFilter } from '../page-texts.ts';
import type { BlockSink } from '../text-builder.ts';

/** Collects the text of paragraphs and table cells, and adds them as blocks. */
export interface RtfBlocks {
  addText(text: string): void;
  /** Appends text to the number or bullet of the paragraph. */
  addMarker(text: string): void;
  endParagraph(format: ParagraphFormat): void;
  endCell(): void;
  endRow(): void;
  /** Starts and ends a note. The note is added after the paragraph or row to which it belongs. */
  startNote(): void;
  endNote(): void;
  /** Starts and ends a page header or footer. Each distinct header or footer is added once, at the end. */
  startPageText(): void;
  endPageText(): void;
  endDocument(): void;
}

export interface ParagraphFormat {
  readonly headingLevel: number | null;
  readonly isInTable: boolean;
}

/** Maximum length of a table row in UTF-16 units. A longer row is page layout, and its cells become paragraphs. */
const maxRowLength = 2_000;

export function createRtfBlocks(builder: BlockSink): RtfBlocks {
  let text: string[] = [];
  let marker = '';
  let cells: string[] = [];
  let notes: string[] = [];
  const isPageTextRead = createPageTextFilter();
  const pageTexts: string[] = [];
  /** Text that was collected before the current note, header or footer started. Null outside of these. */
  let outer: string[] | null = null;

  const addNotes = () => {
    for (const note of notes) builder.add('paragraph', note);
    notes = [];
  };
  const endRow = () => {
    const filled = cells.map(cleanLine).filter((cell) => cell !== '');
    cells = [];
    const row = filled.join(' | ');
    if (row.length > maxRowLength) for (const cell of filled) builder.add('paragraph', cell);
    else builder.add('table-row', row);
    addNotes();
  };
  const endParagraph = ({ headingLevel, isInTable }: ParagraphFormat) => {
    if (outer !== null || isInTable) {
      text.push(' ');
      return;
    }
    if (cells.length > 0) endRow();
    const content = text
      .join('')
      .replace(/[^\S\n]+/g, ' ')
      .trim();
    const item = markerText(marker);
    text = [];
    marker = '';
    if (headingLevel !== null) {
      builder.add('heading', cleanLine(`${item === '-' ? '' : item} ${content}`), {
        level: headingLevel,
      });
    } else if (item !== '' && content !== '') builder.add('list-item', `${item} ${content}`);
    else builder.add('paragraph', content);
    addNotes();
  };
  const startInner = () => {
    if (outer !== null) return;
    outer = text;
    text = [];
  };
  const endInner = (add: (line: string) => void) => {
    if (outer === null) return;
    add(cleanLine(text.join('')));
    text = outer;
    outer = null;
  };
  const endNote = () => endInner((note) => notes.push(note));
  return {
    addText: (part) => void text.push(part),
    addMarker(part) {
      marker += part;
    },
    endParagraph,
    endCell() {
      if (outer !== null) return void text.push(' ');
      cells.push(`${markerText(marker)} ${text.join('')}`);
      text = [];
      marker = '';
    },
    endRow() {
      if (outer === null) endRow();
    },
    startNote: startInner,
    endNote,
    startPageText: startInner,
    endPageText: () => endInner((line) => isPageTextRead(line) && pageTexts.push(line)),
    endDocument() {
      endNote();
      endParagraph({ headingLevel: null, isInTable: false });
      for (const line of pageTexts) builder.add('paragraph', line);
    },
  };
}

/** Returns the number of a list item, or `-` for a bullet. A bullet is often a character of a symbol font. */
function markerText(marker: string): string {
  const line = cleanLine(marker);
  if (line === '') return '';
  return /[\p{L}\p{N}]/u.test(line) && line.length <= 20 && line !== 'o' ? line : '-';
}
