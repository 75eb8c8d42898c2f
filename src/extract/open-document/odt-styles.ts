import { childElements, findElement, type XmlElement } from '../xml-tree.ts';

export interface OdtStyles {
  /** Whether paragraphs with this style are the title of the document. */
  isTitle(style: string | undefined): boolean;
  /**
   * Returns the number format of one level of a list style. Levels start at 1. Returns null if the level has bullets.
   */
  numberFormat(listStyle: string | undefined, level: number): NumberFormat | null;
  /** Returns the number format of headings of one outline level. Returns null if they have no numbers. */
  outlineFormat(style: string | undefined, level: number): NumberFormat | null;
  /** Returns the text formatting of a character style. */
  textFormat(style: string | undefined): TextFormat;
}

export interface TextFormat {
  readonly isRaised?: boolean;
  readonly isStruck?: boolean;
}

export interface NumberFormat {
  /** `1`, `a`, `A`, `i` or `I`. */
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Number of levels whose numbers are shown: 2 for `3.2`. */
  readonly shownLevels: number;
}

const maxStyleChain = 20;

/** Reads the styles in the parts of a document. Styles of a later part override those of an earlier part. */
export function readOdtStyles(parts: readonly (XmlElement | null)[]): OdtStyles {
  const parents = new Map<string, string>();
  const lists = new Map<string, Map<number, NumberFormat>>();
  const formats = new Map<string, TextFormat>();
  const listStyles = new Map<string, string>();
  let outline = new Map<number, NumberFormat>();
  for (const part of parts) {
    for (const group of childElements(part ?? undefined)) {
      if (group.name !== 'styles' && group.name !== 'automatic-styles') continue;
      for (const style of childElements(group)) {
        const { name = '', 'parent-style-name': parent } = style.attributes;
        if (style.name === 'style' && parent !== undefined) parents.set(name, parent);
        if (style.name === 'style') formats.set(name, textFormatOf(style));
        const listStyle = style.attributes['list-style-name'];
        if (style.name === 'style' && listStyle !== undefined) listStyles.set(name, listStyle);
        if (style.name === 'outline-style') outline = numberFormats(style);
        if (style.name === 'list-style') lists.set(name, numberFormats(style));
      }
    }
  }
  const chainOf = (style: string | undefined): string[] => {
    const chain: string[] = [];
    for (let name = style; name !== undefined && chain.length < maxStyleChain; ) {
      chain.push(name);
      name = parents.get(name);
    }
    return chain;
  };
  return {
    isTitle: (style) => chainOf(style).includes('Title'),
    textFormat: (style) =>
      Object.assign(
        {},
        ...chainOf(style)
          .toReversed()
          .map((name) => formats.get(name)),
      ),
    outlineFormat: (style, level) => {
      const own = chainOf(style).find((name) => listStyles.has(name));
      return own !== undefined && listStyles.get(own) === '' ? null : (outline.get(level) ?? null);
    },
    numberFormat: (listStyle, level) => lists.get(listStyle ?? '')?.get(level) ?? null,
  };
}

/**
 * Returns the formatting that the style itself sets, without inherited formatting (OpenDocument 1.3, part 3, 20.396 and
 * 20.406).
 */
function textFormatOf(style: XmlElement): TextFormat {
  const attributes = findElement(style, 'text-properties')?.attributes ?? {};
  const position = attributes['text-position'];
  const line = attributes['text-line-through-style'] ?? attributes['text-line-through-type'];
  return {
    ...(position !== undefined && { isRaised: /^(?:super|[1-9])/.test(position) }),
    ...(line !== undefined && { isStruck: line !== 'none' }),
  };
}

function numberFormats(style: XmlElement): Map<number, NumberFormat> {
  const formats = new Map<number, NumberFormat>();
  const levels = childElements(style).filter(({ name }) =>
    /^(?:list-level-style-number|outline-level-style)$/.test(name),
  );
  for (const { name, attributes } of levels) {
    const { level, 'num-format': format = '', 'num-prefix': prefix = '' } = attributes;
    const { 'num-suffix': suffix = name === 'outline-level-style' ? '' : '.' } = attributes;
    const shownLevels = Math.min(10, Math.trunc(Number(attributes['display-levels'] ?? 1)) || 1);
    const start = Math.trunc(Number(attributes['start-value'] ?? 1)) || 1;
    if (format !== '') formats.set(Number(level), { format, prefix, suffix, start, shownLevels });
  }
  return formats;
}
