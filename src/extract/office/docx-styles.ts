import { childElements, findElement, type XmlElement } from '../xml-tree.ts';

const maxStyleChain = 20;

export interface ParagraphNumbering {
  readonly numberingId: string;
  /** Nesting level. 0 is the outermost. */
  readonly level: number;
}

/**
 * Looks up the properties of a paragraph: first in its direct formatting, then in its style, then in the styles on
 * which that style is based.
 */
export interface DocxStyles {
  /** Returns the heading level, 1 to 6, or null if the paragraph is not a heading. */
  headingLevel(paragraphProperties: XmlElement | undefined): number | null;
  numbering(paragraphProperties: XmlElement | undefined): ParagraphNumbering | null;
}

/** Reads the part `styles.xml`. If it is missing, only built-in style ids such as `Heading1` are recognized. */
export function readDocxStyles(part: XmlElement | null): DocxStyles {
  const styles = new Map<string, XmlElement>();
  for (const style of childElements(part ?? undefined, 'style')) {
    styles.set(style.attributes.styleId ?? '', style);
  }
  const chainOf = (properties: XmlElement | undefined): XmlElement[] => {
    const chain: XmlElement[] = [];
    let id = findElement(properties, 'pStyle')?.attributes.val;
    while (id !== undefined && chain.length < maxStyleChain) {
      const style = styles.get(id) ?? unlistedStyle(id);
      chain.push(style);
      id = findElement(style, 'basedOn')?.attributes.val;
    }
    return chain;
  };
  return {
    headingLevel(properties) {
      const outline = outlineLevel(properties);
      if (outline !== undefined) return outline;
      for (const style of chainOf(properties)) {
        const level = levelOfName(style) ?? outlineLevel(findElement(style, 'pPr'));
        if (level !== undefined) return level;
      }
      return null;
    },
    numbering(properties) {
      const direct = numberingOf(properties);
      if (direct !== undefined) return direct;
      for (const style of chainOf(properties)) {
        const inherited = numberingOf(findElement(style, 'pPr'));
        if (inherited !== undefined) return inherited;
      }
      return null;
    },
  };
}

function unlistedStyle(id: string): XmlElement {
  const name = { name: 'name', attributes: { val: id.replace(/(\d)$/, ' $1') }, children: [] };
  return { name: 'style', attributes: { styleId: id }, children: [name] };
}

function levelOfName(style: XmlElement): number | undefined {
  const name = findElement(style, 'name')?.attributes.val ?? '';
  if (/^title$/i.test(name)) return 1;
  const digit = /^heading (\d)/i.exec(name)?.[1];
  return digit === undefined ? undefined : Math.min(6, Number(digit));
}

/**
 * Returns the heading level, 1 to 6. Returns null for body text and undefined if no level is set. In the file,
 * `outlineLvl` starts at 0, and 9 means body text.
 */
function outlineLevel(properties: XmlElement | undefined): number | null | undefined {
  const value = findElement(properties, 'outlineLvl')?.attributes.val;
  if (value === undefined) return undefined;
  return Number(value) >= 9 ? null : Math.min(6, Number(value) + 1);
}

function numberingOf(properties: XmlElement | undefined): ParagraphNumbering | null | undefined {
  const numbering = findElement(properties, 'numPr');
  const numberingId = findElement(numbering, 'numId')?.attributes.val;
  if (numberingId === undefined) return undefined;
  const level = Number(findElement(numbering, 'ilvl')?.attributes.val ?? 0);
  return numberingId === '0' ? null : { numberingId, level };
}
