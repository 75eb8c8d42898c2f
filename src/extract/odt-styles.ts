import { childElements, type XmlElement } from './xml-tree.ts';

/** Styles of an OpenDocument text. */
export interface OdtStyles {
  /** Whether paragraphs of the style are the title of the document. */
  isTitle(style: string | undefined): boolean;
  /** Returns the format of the numbers at a level from 1 of a list style, or null if the level has bullets. */
  numberFormat(listStyle: string | undefined, level: number): NumberFormat | null;
}

export interface NumberFormat {
  /** `1`, `a`, `A`, `i` or `I`. */
  readonly format: string;
  readonly suffix: string;
  readonly start: number;
}

const maxStyleChain = 20;

/** Reads the styles in the parts of a document. A later part overrides earlier ones. */
export function readOdtStyles(parts: readonly (XmlElement | null)[]): OdtStyles {
  const parents = new Map<string, string>();
  const lists = new Map<string, Map<number, NumberFormat>>();
  for (const part of parts) {
    for (const group of childElements(part ?? undefined)) {
      if (group.name !== 'styles' && group.name !== 'automatic-styles') continue;
      for (const style of childElements(group)) {
        const { name = '', 'parent-style-name': parent } = style.attributes;
        if (style.name === 'style' && parent !== undefined) parents.set(name, parent);
        if (style.name === 'list-style') lists.set(name, numberFormats(style));
      }
    }
  }
  return {
    isTitle(style) {
      let name = style;
      for (let step = 0; name !== undefined && step < maxStyleChain; step += 1) {
        if (name === 'Title') return true;
        name = parents.get(name);
      }
      return false;
    },
    numberFormat: (listStyle, level) => lists.get(listStyle ?? '')?.get(level) ?? null,
  };
}

function numberFormats(style: XmlElement): Map<number, NumberFormat> {
  const formats = new Map<number, NumberFormat>();
  for (const { attributes } of childElements(style, 'list-level-style-number')) {
    const { level, 'num-format': format = '', 'num-suffix': suffix = '.' } = attributes;
    const start = Math.trunc(Number(attributes['start-value'] ?? 1)) || 1;
    if (format !== '') formats.set(Number(level), { format, suffix, start });
  }
  return formats;
}
