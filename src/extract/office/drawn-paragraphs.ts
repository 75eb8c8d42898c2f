import { cleanLine } from '../clean-text.ts';
import type { BlockSink } from '../text-builder.ts';
import { childElements, textOf, type XmlElement } from '../xml-tree.ts';

/** Adds the paragraphs of a drawing. Ignores all other text, which consists of coordinates and plotted numbers. */
export function addDrawnParagraphs(builder: BlockSink, element: XmlElement): void {
  if (element.name === 'p') builder.add('paragraph', cleanLine(textOf(element)));
  else for (const child of childElements(element)) addDrawnParagraphs(builder, child);
}
