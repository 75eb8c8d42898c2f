/** The style sheet of an RTF file. */
export interface RtfStyles {
  startStyle(): void;
  addText(text: string): void;
  readWord(word: string, value: number): void;
  endStyle(): void;
  /** Returns the heading level of a style, 1 to 6. Returns null if the style is not a heading. */
  headingLevel(style: number): number | null;
}

export function createRtfStyles(): RtfStyles {
  const levels = new Map<number, number>();
  let number = 0;
  let name = '';
  let outlineLevel: number | null = null;
  return {
    startStyle() {
      number = 0;
      name = '';
      outlineLevel = null;
    },
    addText(text) {
      if (name.length < maxNameLength) name += text;
    },
    readWord(word, value) {
      if (word === 's') number = value;
      if (word === 'outlinelevel') outlineLevel = value;
    },
    endStyle() {
      const title = name.replace(/;\s*$/, '').trim();
      const digit = /^heading (\d)/i.exec(title)?.[1];
      const level = /^title$/i.test(title) ? 1 : digit === undefined ? null : Number(digit);
      const found = level ?? (outlineLevel !== null && outlineLevel < 9 ? outlineLevel + 1 : null);
      if (found !== null) levels.set(number, Math.max(1, Math.min(6, found)));
      name = '';
    },
    headingLevel: (style) => levels.get(style) ?? null,
  };
}

const maxNameLength = 200;
