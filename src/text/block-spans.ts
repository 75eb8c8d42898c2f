/** Kind of a block of a document: what its author made it. */
export type BlockKind = 'heading' | 'paragraph' | 'list-item' | 'table-row' | 'code';

/** A block of a chunk: `content.slice(start, end)`. */
export interface BlockSpan {
  readonly kind: BlockKind;
  /** `start` and `end`: UTF-16 offsets in the content of the chunk. */
  readonly start: number;
  readonly end: number;
  /** Whether the block belongs to the list item before it: a further paragraph, a command, or a nested item. */
  readonly continuesItem: boolean;
}

/** Version of the format of `writeBlockSpans`. Chunks with another version are given their blocks again. */
export const blockSpansVersion = 1;

const letters: Readonly<Record<BlockKind, string>> = {
  heading: 'h',
  paragraph: 'p',
  'list-item': 'i',
  'table-row': 'r',
  code: 'c',
};
const kinds: readonly BlockKind[] = ['heading', 'paragraph', 'list-item', 'table-row', 'code'];

/**
 * Writes blocks as a short text: for each block the letter of its kind, `+` if it continues an item, the number of
 * characters since the end of the block before, and its length, such as `h0,7 p2,140 i1,20 i+1,12`.
 */
export function writeBlockSpans(blocks: readonly BlockSpan[]): string {
  let at = 0;
  return blocks
    .map(({ kind, start, end, continuesItem }) => {
      const written = `${letters[kind]}${continuesItem ? '+' : ''}${start - at},${end - start}`;
      at = end;
      return written;
    })
    .join(' ');
}

/** Reads the text of `writeBlockSpans`. */
export function readBlockSpans(written: string): BlockSpan[] {
  let at = 0;
  return [...written.matchAll(/([hpirc])(\+?)(\d+),(\d+)/g)].map(
    ([, letter, plus, gap, length]) => {
      const start = at + Number(gap);
      at = start + Number(length);
      const kind = kinds.find((one) => letters[one] === letter) ?? 'paragraph';
      return { kind, start, end: at, continuesItem: plus === '+' };
    },
  );
}
