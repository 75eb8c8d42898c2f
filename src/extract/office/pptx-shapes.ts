import { childElements, findElement, textOf, type XmlElement } from '../xml-tree.ts';

/** A shape of a slide that contains text or a table. */
export interface Shape {
  /** Kind of the placeholder, such as `title` or `body`. Null for other shapes. */
  readonly placeholder: string | null;
  /** The element that contains the text body or the table. */
  readonly content: XmlElement;
}

/** Placeholders whose text is not content of the slide, such as date and slide number. */
const omittedPlaceholders = new Set(['dt', 'hdr', 'sldNum', 'sldImg']);

/** Returns the visible shapes of a slide in order, including shapes inside groups. */
export function readShapes(tree: XmlElement | undefined): Shape[] {
  const shapes: Shape[] = [];
  for (const element of childElements(tree)) {
    if (isHidden(element)) continue;
    if (element.name === 'sp') shapes.push(...readShape(element));
    else if (element.name === 'grpSp') shapes.push(...readShapes(element));
    else if (element.name === 'AlternateContent') shapes.push(...readAlternate(element));
    else if (element.name === 'graphicFrame') {
      const table = findElement(element, 'graphic', 'graphicData', 'tbl');
      if (table !== undefined) shapes.push({ placeholder: null, content: table });
    }
  }
  return shapes;
}

function readShape(shape: XmlElement): Shape[] {
  const content = findElement(shape, 'txBody');
  if (content === undefined || !/\S/.test(textOf(content))) return [];
  const placeholder = findElement(shape, 'nvSpPr', 'nvPr', 'ph');
  const kind = placeholder === undefined ? null : (placeholder.attributes.type ?? 'obj');
  return kind !== null && omittedPlaceholders.has(kind) ? [] : [{ placeholder: kind, content }];
}

/** Returns the shapes of the first alternative that has shapes. Other alternatives repeat them for older programs. */
function readAlternate(element: XmlElement): Shape[] {
  for (const alternative of childElements(element)) {
    const shapes = readShapes(alternative);
    if (shapes.length > 0) return shapes;
  }
  return [];
}

function isHidden(shape: XmlElement): boolean {
  return childElements(shape).some((properties) =>
    /^(?:1|true)$/.test(findElement(properties, 'cNvPr')?.attributes.hidden ?? '0'),
  );
}
