import type { ExtractedText } from '../../../src/extract/extracted-text.ts';

/**
 * Returns each block as `kind: text`. The kind includes the level of a heading and the page, as in
 * `heading2 (page 3): Rules`.
 */
export function describeBlocks({ text, blocks }: ExtractedText): string[] {
  return blocks.map(({ kind, level, page, start, end }) => {
    const location = page === undefined ? '' : ` (page ${page})`;
    return `${kind}${level ?? ''}${location}: ${text.slice(start, end)}`;
  });
}
