import { cleanLine } from '../clean-text.ts';
import { createPageTextFilter } from '../page-texts.ts';
import type { BlockSink } from '../text-builder.ts';
import type { RtfCell } from './rtf-row-layout.ts';
import { createRtfTable } from './rtf-table.ts';

/** Collects the text of paragraphs and table cells, and adds them as blocks. */
export interface RtfBlocks {
  addText(text: string): void;
  /** Appends text to the number or bullet of the paragraph. */
  addMarker(text: string): void;
  endParagraph(format: ParagraphFormat): void;
  endCell(): void;
  endRow(layout: readonly RtfCell[]): void;
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

export function createRtfBlocks(builder: BlockSink): RtfBlocks {
  let text: string[] = [];
  let marker = '';
  let cells: string[] = [];
  let notes: string[] = [];
  const table = createRtfTable(builder);
  const isPageTextRead = createPageTextFilter();
  const pageTexts: string[] = [];
  /** Text that was collected before the current note, header or footer started. Null outside of these. */
  let outer: string[] | null = null;

  const addNotes = () => {
    for (const note of notes) builder.add('paragraph', note);
    notes = [];
  };
  const endRow = (layout: readonly RtfCell[]) => {
    table.addRow({ texts: cells.map(cleanLine), layout }, notes);
    cells = [];
    notes = [];
  };
  const endParagraph = ({ headingLevel, isInTable }: ParagraphFormat) => {
    if (outer !== null || isInTable) {
      text.push(' ');
      return;
    }
    if (cells.length > 0) endRow([]);
    table.end();
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
    endRow(layout) {
      if (outer === null) endRow(layout);
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
