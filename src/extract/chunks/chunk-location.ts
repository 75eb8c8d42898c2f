import type { Block, ExtractedText } from '../extracted-text.ts';
import { leadSentence } from './chunk-leads.ts';
import { tableHeaders } from './table-headers.ts';

/** Place of a block in the structure of its document. */
export interface BlockLocation {
  /** The headings above the block, the leads of its lists and the headers of its table, joined by ` › `. */
  readonly context: string;
  /**
   * Whether the block belongs to the list item before it: it is a further paragraph of that item, or an item nested in
   * it.
   */
  readonly continuesItem: boolean;
}

/** Maximum UTF-16 units of a heading or lead in the context. Longer texts are cut. */
const maxTitleLength = 120;

/**
 * Returns the location of each block. For each block, `isLead` contains whether the block introduces the next block.
 */
export function locateBlocks(
  extracted: ExtractedText,
  isLead: readonly boolean[],
): BlockLocation[] {
  const { text, blocks } = extracted;
  const tables = tableHeaders(extracted);
  const headings: Title[] = [];
  const leads: Title[] = [];
  let outerDepth: number | null = null;
  return blocks.map((block, index) => {
    const depth = indentation(text, block);
    if (block.kind === 'heading') closeTitles(headings, block.level ?? 1);
    if (block.kind === 'list-item') {
      outerDepth ??= depth;
      closeTitles(leads, depth);
    } else if (block.isItemPart !== true) {
      outerDepth = null;
      leads.length = 0;
    }
    const path = [...headings, ...leads].map(({ title }) => title);
    const context = [...path, tables[index]].filter(Boolean).join(' › ');
    const isInnerItem = block.kind === 'list-item' && depth > (outerDepth ?? depth);
    const content = text.slice(block.start, block.end);
    if (block.kind === 'heading') headings.push({ level: block.level ?? 1, title: cut(content) });
    else if (isLead[index] === true && blocks[index + 1]?.kind === 'list-item') {
      leads.push({ level: outerDepth === null ? -1 : depth, title: cut(leadSentence(content)) });
    }
    return { context, continuesItem: block.isItemPart === true || isInnerItem };
  });
}

interface Title {
  /** Level of a heading, or indentation of a lead. -1 for a lead outside lists. */
  readonly level: number;
  readonly title: string;
}

function closeTitles(path: Title[], level: number): void {
  while ((path.at(-1)?.level ?? Number.NEGATIVE_INFINITY) >= level) path.pop();
}

/** Returns the number of spaces before a block. Nested list items have more spaces than the items that contain them. */
function indentation(text: string, { start }: Block): number {
  let width = 0;
  while (/[ \t]/.test(text.charAt(start + width))) width += 1;
  return width;
}

function cut(title: string): string {
  return title.slice(0, maxTitleLength).toWellFormed().replace(/\s+/g, ' ').trim();
}
