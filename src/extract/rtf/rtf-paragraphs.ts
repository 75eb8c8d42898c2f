import type { RtfBlocks } from './rtf-blocks.ts';
import { createRtfRowLayout } from './rtf-row-layout.ts';
import type { RtfStyles } from './rtf-styles.ts';

/** Returns a function that reads control words of paragraphs and tables. */
export function createRtfParagraphs(
  blocks: RtfBlocks,
  styles: RtfStyles,
): (word: string, value: number) => void {
  const layout = createRtfRowLayout();
  let format = { headingLevel: null as number | null, isInTable: false };
  return (word, value) => {
    if (layout.readWord(word, value)) return;
    switch (word) {
      case 'pard':
        format = { headingLevel: null, isInTable: false };
        return;
      case 'intbl':
        format.isInTable = true;
        return;
      case 's':
        format.headingLevel = styles.headingLevel(value);
        return;
      case 'outlinelevel':
        format.headingLevel = value < 9 ? Math.max(1, Math.min(6, value + 1)) : null;
        return;
      case 'par':
      case 'page':
      case 'sect':
        return blocks.endParagraph(format);
      case 'cell':
        return blocks.endCell();
      case 'row':
        return blocks.endRow(layout.cells());
    }
  };
}
