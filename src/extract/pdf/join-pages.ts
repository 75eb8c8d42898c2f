import { joinLines } from './join-lines.ts';
import type { PdfBlock } from './pdf-blocks.ts';
import type { PdfStyle } from './pdf-style.ts';

/**
 * Joins paragraphs that continue on the next page. The whole paragraph belongs to the page on which it starts. Footnotes
 * and page numbers between its parts follow it.
 */
export function joinPages(pages: readonly (readonly PdfBlock[])[], style: PdfStyle): PdfBlock[][] {
  const joined: PdfBlock[][] = [];
  for (const page of pages.toReversed()) {
    const next = joined[0] ?? [];
    const start = next.findIndex((block) => !isMarginal(block, style));
    const end = page.findLastIndex((block) => !isMarginal(block, style));
    const [above, below] = [page[end], next[start]];
    if (above === undefined || below === undefined || !continues(above, below)) {
      joined.unshift([...page]);
      continue;
    }
    const whole = { ...above, text: joinLines([above.text, below.text], style.words) };
    joined[0] = next.toSpliced(start, 1);
    joined.unshift(page.with(end, whole));
  }
  return joined;
}

/** Whether a block is a footnote or a page number. */
function isMarginal({ text, size }: PdfBlock, { bodySize }: PdfStyle): boolean {
  return size < bodySize * 0.92 || !/\p{L}{2}/u.test(text);
}

const minWords = 5;

/** Whether the text above is an unfinished sentence that the text below continues. */
function continues(above: PdfBlock, below: PdfBlock): boolean {
  const isText = above.kind === 'paragraph' || above.kind === 'list-item';
  const isSameSize = Math.abs(above.size - below.size) < above.size * 0.05;
  return (
    isText &&
    below.kind === 'paragraph' &&
    isSameSize &&
    above.text.split(' ').length >= minWords &&
    /[\p{L}\p{N},\-\u2010\u00ad)]$/u.test(above.text) &&
    /^\p{Ll}/u.test(below.text)
  );
}
